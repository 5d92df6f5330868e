import { expect, test } from "@jest/globals";
import { readHookLogs } from "./read-hook-logs.js";

test("joins processes in order of time, and counts incomplete lines", () => {
  expect(
    readHookLogs([
      '30 {"kind":"read","path":"/c"}\n10 {"kind":"read","path":"/a"}\n40 {"kind":"re',
      '20 {"kind":"missing","path":"/b"}\n21 {"kind":"odd"}\n',
    ]),
  ).toEqual({
    events: [
      { kind: "read", path: "/a" },
      { kind: "missing", path: "/b" },
      { kind: "read", path: "/c" },
    ],
    unreadable: 2,
  });
});
