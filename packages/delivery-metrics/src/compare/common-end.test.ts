import { expect, test } from "@jest/globals";
import type { Until } from "../report/report.js";
import { commonEnd } from "./common-end.js";

test.each<[readonly Until[], Until]>([
  [["published"], "published"],
  [["published", "merged"], "merged"],
  [["upgraded", "published", "upgraded"], "published"],
  [["merged", "upgraded"], "merged"],
  [["upgraded", "upgraded"], "upgraded"],
])("the common end of %j is %s", (ends, nearest) => {
  expect(commonEnd(ends)).toBe(nearest);
});
