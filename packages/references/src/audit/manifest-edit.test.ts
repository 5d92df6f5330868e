import { expect, test } from "@jest/globals";
import { declareDependency } from "./manifest-edit.js";

test.each<[why: string, before: string, after: string, line: number]>([
  [
    "among its neighbours, in order",
    `{\n  "name": "a",\n  "dependencies": {\n    "@m/a": "*",\n    "z": "1"\n  }\n}\n`,
    `{\n  "name": "a",\n  "dependencies": {\n    "@m/a": "*",\n    "@m/new": "workspace:^",\n    "z": "1"\n  }\n}\n`,
    5,
  ],
  [
    "a field of its own, with tabs and CRLF, no newline at the end",
    `{\r\n\t"name": "a"\r\n}`,
    `{\r\n\t"name": "a",\r\n\t"dependencies": {\r\n\t\t"@m/new": "workspace:^"\r\n\t}\r\n}`,
    4,
  ],
  [
    "moved from devDependencies, which goes when it is empty; four spaces",
    `{\n    "devDependencies": {\n        "@m/new": "*"\n    },\n    "x": []\n}\n`,
    `{\n    "x": [],\n    "dependencies": {\n        "@m/new": "workspace:^"\n    }\n}\n`,
    4,
  ],
])("%s", (_why, before, after, line) => {
  expect(
    declareDependency(before, "dependencies", "@m/new", "workspace:^"),
  ).toEqual({ text: after, line });
});

test("a package may be called like what every object has", () => {
  const before = `{\n  "devDependencies": {\n    "a": "1"\n  }\n}\n`;
  expect(
    declareDependency(before, "dependencies", "constructor", "workspace:^")
      .text,
  ).toBe(
    `{\n  "devDependencies": {\n    "a": "1"\n  },\n  "dependencies": {\n    "constructor": "workspace:^"\n  }\n}\n`,
  );
});

test("a new devDependencies comes after dependencies", () => {
  expect(
    declareDependency(
      `{\n  "dependencies": {\n    "a": "1"\n  },\n  "files": []\n}\n`,
      "devDependencies",
      "@m/new",
      "workspace:^",
    ).text,
  ).toBe(
    `{\n  "dependencies": {\n    "a": "1"\n  },\n  "devDependencies": {\n    "@m/new": "workspace:^"\n  },\n  "files": []\n}\n`,
  );
});
