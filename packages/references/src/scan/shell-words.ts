import type { JsonString } from "./json.js";
import type { Collector } from "./positions.js";

/** Scripts whose doing is of no matter to those who depend on the package. */
const ONLY_CHECKS =
  /^(pre|post)?(test|lint|check|typecheck|format|coverage|bench|e2e)\b/;

/**
 * The words of a script that are paths: anything with `./` or `../` in it (`-c ../../x`, `--config=../x`), and
 * words that look like a script file (`node scripts/build.js`).
 */
export function scanScript(
  name: string,
  { text, offset }: JsonString,
  found: Collector,
): void {
  const kind = ONLY_CHECKS.test(name) ? "test-script" : "script";
  for (const { 0: word, index } of text.matchAll(/[^\s"'`;&|()<>=,]+/g)) {
    const isPath =
      /^\.\.?(\/|$)/.test(word) ||
      (/\/|^[^-]/.test(word) &&
        /^[\w@][^:*]*\.([cm]?[jt]sx?|json|sh|ya?ml)$/.test(word));
    if (!isPath || word === ".") continue;
    const wild = word.search(/[*?{$]/);
    const path = wild < 0 ? word : word.slice(0, wild);
    found.add(
      /^\.\.?(\/|$)/.test(path) ? path : `./${path}`,
      kind,
      offset + index,
      wild >= 0,
    );
  }
}
