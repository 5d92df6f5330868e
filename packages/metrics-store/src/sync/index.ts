export { openMeter, type Meter } from "./meter.js";
export { openRegistry } from "./registry.js";
export { STAGES, type Session, type Stage, type Stopped } from "./session.js";
export { sync } from "./sync.js";
