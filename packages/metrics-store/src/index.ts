export {
  dayOf,
  dayOfName,
  eachFile,
  readDays,
  withEvents,
} from "./store/day-files.js";
export { folderStore } from "./store/folder-store.js";
export { openLedger, STATE_FILE } from "./store/ledger.js";
export { isEventFile, unpackText } from "./store/packed.js";
export type { EventStore, StoredFiles } from "./store/store.js";
