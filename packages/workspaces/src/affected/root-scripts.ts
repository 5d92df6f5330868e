import type { Project } from "../project.js";
import type { Reason } from "./reason.js";

/**
 * The packages whose scripts call a script of the root that changed: Yarn lets `yarn run -T x` do that from any package,
 * and `yarn x:y` with any name that has a colon; in a folder above, `yarn x` may do it too. Needs the manifests.
 * @returns names, each with the reason
 */
export function callersOfChangedScripts(
  base: Project,
  head: Project,
): (readonly [name: string, reason: Reason])[] {
  const before = base.root.scripts;
  const after = head.root.scripts;
  const changed = new Set(
    Object.keys({ ...before, ...after }).filter(
      (name) => before[name] !== after[name],
    ),
  );
  // What calls a changed one does something else, too. A set hands out what is added while it is walked.
  for (const name of changed)
    for (const [caller, text] of Object.entries(after))
      if (calls(text, name)) changed.add(caller);
  return head.packages.flatMap(({ name, dir, manifest }) => {
    if (dir === ".") return [];
    const texts = Object.values(manifest?.scripts ?? {});
    const called = [...changed].find((script) =>
      texts.some((text) =>
        calls(
          text,
          script,
          script.includes(":") ? undefined : GOES_UP.test(text) ? RUNNER : TOP,
        ),
      ),
    );
    if (called === undefined) return [];
    const referrer = {
      file: `${dir}/package.json`,
      line: 1,
      specifier: called,
    };
    return [
      [name, { kind: "referenced-file", path: "package.json", referrer }],
    ];
  });
}

/** `cd ../..`, `yarn --cwd=..`, `npm --prefix ../../`. */
const GOES_UP =
  /(^|\s)(cd|--cwd|--prefix|--dir|-C)[\s=]+["']?\.\.(?![^\s"'/;&|])/;

const RUNNER = /^(yarn|run|npm|pnpm)$/;
const TOP = /^(-T|--top-level)$/;

/** @param behind what stands before a word that means the script; anything, where it is left out: `run-s x y` */
function calls(text: string, script: string, behind?: RegExp): boolean {
  const words = text.split(/[\s"'`;&|()]+/);
  return words.some(
    (word, index) =>
      means(word, script) &&
      (!behind ||
        words
          .slice(Math.max(0, index - 3), index)
          .some((one) => behind.test(one))),
  );
}

/** `x`, and for programs that run several scripts `npm:x`, `x-*`. */
function means(word: string, script: string): boolean {
  const [start = "", wild] = word.replace(/^npm:/, "").split("*", 2);
  return wild === undefined
    ? start === script
    : start !== "" && script.startsWith(start);
}
