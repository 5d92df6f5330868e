export { openMeter } from "./meter.js";
export type { Meter } from "./meter.js";
export { openRegistry } from "./registry.js";
export { STAGES } from "./session.js";
export type { Session, Stage, Stopped } from "./session.js";
export { sync } from "./sync.js";
