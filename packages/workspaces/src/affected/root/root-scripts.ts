import { remember } from "@skein/reporting/group-by";
import type { Project } from "../../project.js";
import type { Reason } from "../reason.js";
import type { Scripts } from "../programs/units.js";

/**
 * Returns the packages whose scripts call a changed script of the root. With Yarn, any package can do so with
 * `yarn run -T x`, and with `yarn x:y` for a name with a colon; in a folder above, `yarn x` may do it too. It needs the
 * manifests.
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
  // A script that calls a changed one has changed too. Iteration over a set includes elements that are added during it.
  for (const name of changed)
    for (const [caller, text] of Object.entries(after))
      if (calls(text, name)) changed.add(caller);
  return head.packages.flatMap(({ name, dir, manifest }) => {
    if (dir === ".") return [];
    const texts = Object.values(manifest?.scripts ?? {});
    const called = [...changed].find((script) =>
      texts.some((text) => callsRoot(text, script)),
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

/**
 * Opens the scripts of the root that the scripts of packages call, also through other scripts of the root.
 * @param root the root's scripts by name
 * @returns a function from a script's text to the names of the root's scripts
 */
export function openCalledRootScripts(
  root: Scripts,
): (text: string) => readonly string[] {
  const names = Object.keys(root);
  return remember((text) => {
    const found = new Set(names.filter((name) => callsRoot(text, name)));
    // Iteration over a set includes elements that are added during it.
    for (const name of found)
      for (const other of names)
        if (calls(root[name] ?? "", other)) found.add(other);
    return [...found];
  });
}

/** Returns whether a package's script calls a script of the root. */
function callsRoot(text: string, script: string): boolean {
  const behind = script.includes(":")
    ? undefined
    : GOES_UP.test(text)
      ? RUNNER
      : TOP;
  return calls(text, script, behind);
}

/** `cd ../..`, `yarn --cwd=..`, `npm --prefix ../../`. */
const GOES_UP =
  /(^|\s)(cd|--cwd|--prefix|--dir|-C)[\s=]+["']?\.\.(?![^\s"'/;&|])/;

const RUNNER = /^(yarn|jlpm|run|npm|pnpm)$/;
const TOP = /^(-T|--top-level)$/;

/** @param behind the text before a word that means the script; without it, any text: `run-s x y` */
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

/** Returns whether a word is `x`, or, for programs that run several scripts, `npm:x` or `x-*`. */
function means(word: string, script: string): boolean {
  const [start = "", wild] = word.replace(/^npm:/, "").split("*", 2);
  return wild === undefined
    ? start === script
    : start !== "" && script.startsWith(start);
}
