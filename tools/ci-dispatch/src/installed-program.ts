import { createRequire } from "node:module";
import { dirname, join } from "node:path";

/**
 * Returns the path of a tool's program. Tools exchange versioned JSON: another tool is a program that is installed with
 * this one, never an import. The path comes from the tool's package.json, because the depth of this file in its package
 * depends on whether it was bundled.
 */
export function installedProgram(tool: "affected" | "ci-dispatch"): string {
  const manifest = createRequire(import.meta.url).resolve(
    `@skein/${tool}/package.json`,
  );
  return join(dirname(manifest), `bin/${tool}.js`);
}
