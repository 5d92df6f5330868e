export { sharedCacheDir } from "./location.js";
export { Memory, type MemoryReport } from "./memory.js";
export type { Wanted } from "./kept-result.js";
export { scopeOf, type Scope } from "./scope.js";
export { identityOfCi, identityOfRemote } from "./repository-identity.js";
export { Store, type StoreSize } from "./store.js";
export { parseBytes } from "./bytes.js";
export { Remote } from "./remote/remote.js";
export { remoteSettings } from "./remote/remote-settings.js";
