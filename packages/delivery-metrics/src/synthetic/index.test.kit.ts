export { syntheticWeeks } from "./six-weeks.test.kit.js";
export type { SyntheticOptions, SyntheticWeeks } from "./six-weeks.test.kit.js";
export type { TrueGroup, TruePercentiles, Truth } from "./truth.test.kit.js";
