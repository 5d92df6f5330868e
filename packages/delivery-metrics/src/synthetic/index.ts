export { syntheticWeeks } from "./six-weeks.js";
export type { SyntheticOptions, SyntheticWeeks } from "./six-weeks.js";
export type { TrueGroup, TruePercentiles, Truth } from "./truth.js";
