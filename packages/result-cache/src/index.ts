export { sharedCacheDir } from "./location.js";
export { Memory } from "./memory.js";
export type { MemoryOptions, MemoryReport } from "./memory.js";
export type { KeptResult, Wanted } from "./kept-result.js";
export { scopeOf } from "./scope.js";
export type { RunOrigin, Scope } from "./scope.js";
export { Store } from "./store.js";
export type { StoreOptions, StoreSize } from "./store.js";
export { parseBytes } from "./bytes.js";
