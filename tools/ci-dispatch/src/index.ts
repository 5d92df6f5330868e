export { pack } from "./pack/pack.js";
export { makePlan } from "./plan/make-plan.js";
export type { PlanInput } from "./plan/make-plan.js";
export type { Packing } from "./pack/pack.js";
