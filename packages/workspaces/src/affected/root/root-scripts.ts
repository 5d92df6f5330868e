import { remember } from "@skein/reporting/group-by";
import type { Project } from "../../project.js";
import type { References } from "../input.js";
import type { Reason } from "../reason.js";
import type { Scripts } from "../programs/units.js";

/**
 * Returns the packages whose scripts or other files call a changed script of the root. With Yarn, any package can do so with
 * `yarn run -T x`, and with `yarn x:y` for a name with a colon; in a folder above, `yarn x` may do it too. It needs the
 * manifests.
 * @returns names, each with the reason
 */
export function callersOfChangedScripts(
  base: Project,
  head: Project,
  references: Pick<References, "callsOfRootScript"> | undefined,
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
  const { root } = head.graph;
  const inScripts = head.packages.flatMap(({ name, dir, manifest }) => {
    if (dir === ".") return [];
    const texts = Object.values(manifest?.scripts ?? {});
    const called = [...changed].find((script) =>
      texts.some((text) => callsRoot(text, script, root)),
    );
    return called === undefined
      ? []
      : [[name, `${dir}/package.json`, 1, called] as const];
  });
  const inFiles = [...changed].flatMap((script) =>
    (references?.callsOfRootScript(script) ?? []).map(
      ([name, { file, line }]) => [name, file, line, script] as const,
    ),
  );
  return [...inScripts, ...inFiles].map(([name, file, line, specifier]) => [
    name,
    {
      kind: "referenced-file",
      path: "package.json",
      referrer: { file, line, specifier },
    },
  ]);
}

/**
 * Opens the scripts of the root that the scripts of packages call, also through other scripts of the root.
 * @param root the root's scripts by name
 * @param rootName the root's own name
 * @returns a function from a script's text to the names of the root's scripts
 */
export function openCalledRootScripts(
  root: Scripts,
  rootName: string,
): (text: string) => readonly string[] {
  const names = Object.keys(root);
  return remember((text) => {
    const found = new Set(
      names.filter((name) => callsRoot(text, name, rootName)),
    );
    // Iteration over a set includes elements that are added during it.
    for (const name of found)
      for (const other of names)
        if (calls(root[name] ?? "", other)) found.add(other);
    return [...found];
  });
}

/** Returns whether a package's script calls a script of the root. `yarn workspace root x` does so by the root's name. */
function callsRoot(text: string, script: string, root: string): boolean {
  const isAbove = GOES_UP.test(text);
  return calls(
    text,
    script,
    script.includes(":")
      ? undefined
      : (word) => word === root || (isAbove ? RUNNER : TOP).test(word),
  );
}

/** `cd ../..`, `yarn --cwd=..`, `npm --prefix ../../`. */
const GOES_UP =
  /(^|\s)(cd|--cwd|--prefix|--dir|-C)[\s=]+["']?\.\.(?![^\s"'/;&|])/;

const RUNNER = /^(yarn|jlpm|run|npm|pnpm)$/;
const TOP = /^(-T|--top-level)$/;

/** @param isBefore whether a word may be before one that means the script; without it, any word: `run-s x y` */
function calls(
  text: string,
  script: string,
  isBefore?: (word: string) => boolean,
): boolean {
  const words = text.split(/[\s"'`;&|()]+/);
  return words.some(
    (word, index) =>
      means(word, script) &&
      (!isBefore || words.slice(Math.max(0, index - 3), index).some(isBefore)),
  );
}

/** Returns whether a word is `x`, or, for programs that run several scripts, `npm:x` or `x-*`. */
function means(word: string, script: string): boolean {
  const [start = "", wild] = word.replace(/^npm:/, "").split("*", 2);
  return wild === undefined
    ? start === script
    : start !== "" && script.startsWith(start);
}
