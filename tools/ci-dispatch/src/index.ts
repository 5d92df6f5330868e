export { pack } from "./pack/pack.js";
export type { Packing } from "./pack/pack.js";
