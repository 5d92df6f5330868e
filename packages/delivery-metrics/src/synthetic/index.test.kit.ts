export { syntheticWeeks } from "./six-weeks.test.kit.js";
