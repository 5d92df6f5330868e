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
      if (calls(text, name, true)) changed.add(caller);
  return head.packages.flatMap(({ name, dir, manifest }) => {
    if (dir === ".") return [];
    const texts = Object.values(manifest?.scripts ?? {});
    const called = [...changed].find((script) =>
      texts.some((text) =>
        calls(text, script, script.includes(":") || GOES_UP.test(text)),
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

/** @param plainly whether `yarn x` means it, as it does `yarn run -T x` */
function calls(text: string, script: string, plainly: boolean): boolean {
  const words = text.split(/[\s"'`;&|()]+/);
  return words.some((word, index) => {
    if (word !== script) return false;
    const before = words.slice(Math.max(0, index - 3), index);
    return before.some((one) =>
      plainly
        ? /^(yarn|run|npm|pnpm)$/.test(one)
        : one === "-T" || one === "--top-level",
    );
  });
}
