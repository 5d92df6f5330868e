import { expect, test } from "@jest/globals";
import { guessQuestion } from "./head-start.js";

const LOCAL = {};
const ACTIONS = { GITHUB_ACTIONS: "true" };

test.each<
  [
    words: string,
    guess:
      | readonly [
          base: string | undefined,
          workingTree: boolean,
          compares?: boolean,
        ]
      | undefined,
    env?: Record<string, string>,
  ]
>([
  ["list", [undefined, true]],
  ["list --committed --json", [undefined, false]],
  ["test -- --base x --help", [undefined, true]],
  ["why @acme/app", [undefined, true]],
  ["run build --base origin/main --committed", ["origin/main", false]],
  ["list --base=v1", ["v1", true]],
  ["list --base=", ["", true]],
  ["list --base last-green", undefined],
  ["list --base", undefined],
  // With other ends, other sources or no changes at all, git doesn't start early.
  ["list --head v1", undefined],
  ["list --since=v1", undefined],
  ["list --pr acme/shop#1", undefined],
  ["list --files-from -", undefined],
  ["list --help", undefined],
  ["list -h", undefined],
  ["help list", undefined],
  ["audit --check", undefined],
  ["--version", undefined],
  ["", undefined],
  // In Actions, the event determines the base, unless the command line does.
  ["list", undefined, ACTIONS],
  ["list --base main", ["main", true], ACTIONS],
  // These read one tree and compare nothing.
  ["test --all", [undefined, true, false], ACTIONS],
  ["fingerprint test", [undefined, true, false], ACTIONS],
])("%s", (words, guess, env = LOCAL) => {
  expect(guessQuestion(words.split(" ").filter(Boolean), env)).toEqual(
    guess && {
      ...{ base: guess[0], workingTree: guess[1] },
      compares: guess[2] ?? true,
    },
  );
});
