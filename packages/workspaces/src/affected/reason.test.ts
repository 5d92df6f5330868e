import { describe, expect, test } from "@jest/globals";
import { certainFirst } from "./reason.js";
import type { Reason } from "./reason.js";

const file: Reason = { kind: "file", path: "a/x.js", change: "modified" };

const on = (name: string, isGuess?: true): Reason => ({
  kind: "dependency",
  on: name,
  edge: "dependencies",
  evidence: "package.json",
  ...(isGuess && { isGuess }),
});

const lookup = (isKnown: boolean): Reason => ({
  kind: "looked-up-file",
  path: "jest.config.js",
  role: "Jest's settings",
  script: "test",
  program: isKnown ? "jest" : "x",
  isKnown,
});

describe("certainFirst", () => {
  test("puts guesses behind all others, and keeps the order of each", () => {
    const found = new Map([
      ["a", [file]],
      ["b", [lookup(false), on("a", true), on("a"), lookup(true)]],
    ]);
    expect(certainFirst(found)).toEqual(
      new Map([
        ["a", [file]],
        ["b", [on("a"), lookup(true), lookup(false), on("a", true)]],
      ]),
    );
  });

  test("keeps a dependency that was found later behind a guess, because only the package itself may affect it", () => {
    const found = new Map([
      ["a", [file]],
      ["b", [on("a", true), on("c")]],
      ["c", [on("b"), on("b", true)]],
    ]);
    expect(certainFirst(found)).toEqual(found);
  });
});
