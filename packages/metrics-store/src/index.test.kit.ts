/** A kit for tests of other packages. It reads a whole store, and fills a fake GitHub with a past. */
export { readEvents } from "./store/read-store.test.kit.js";
export { fillPast } from "./sync/past.test.kit.js";
