/** For tests of other packages: reads a whole store, and fills a fake GitHub with a past. */
export { readEvents } from "./store/read-store.test.kit.js";
export { fillPast } from "./sync/past.test.kit.js";
