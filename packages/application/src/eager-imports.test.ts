import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { expect, test } from "@jest/globals";

const root = fileURLToPath(new URL("../../../", import.meta.url));

/** An import or export of a module in compiled code. */
const IMPORT = /^(?:import|export)\s(?:[^;"]*\sfrom\s)?"([^"]+)";/gm;

/** Returns our own files that a file loads before it runs, from the repository's root. It is one of them. */
function eagerImports(start: string): ReadonlySet<string> {
  const files = new Set([`${root}${start}`]);
  for (const file of files) {
    const { resolve } = createRequire(file);
    for (const [, specifier = ""] of readFileSync(file, "utf8").matchAll(
      IMPORT,
    ))
      if (/^(?:\.|@skein\/)/.test(specifier)) files.add(resolve(specifier));
  }
  return new Set([...files].map((file) => file.slice(root.length)));
}

// To follow a command, a person opens these files. An index file of a package loads the whole package: `exports` has subpaths
// for commands that need little of it.
test.each([
  ["tools/affected/dist/commands/list.js", 80],
  ["tools/migrate-repo/dist/undo/run-undo.js", 147],
  ["packages/workspaces/dist/read-project.js", 28],
])("%s loads %i of our files at most", (file, most) => {
  expect(eagerImports(file).size).toBeLessThanOrEqual(most);
});
