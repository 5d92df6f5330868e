import type { ReferenceKind } from "../reference.js";
import { MAY_SELECT } from "./commands.js";
import type { Collector } from "./positions.js";

const COMMAND = /[^;&|\n]+/g;
/** Packages in which a command runs scripts. */
const RUNS_IN =
  /(?:\b(?:workspace|nx\s+run)|(?:^|[\s"'=])(?:--?filter|-F|--scope|--include|--from|--workspace|-w|--projects?))(?:\s+|=)["']?([@\w][\w./@,-]*)/dg;
/** Scripts that don't run tests, unless another word shows that they do. */
const MAKES =
  /\b(?:build|compile|bundle|generate|codegen|start|serve|dev|watch|clean|pack)\b/;
const CHECKS =
  /test|spec|jest|mocha|check|lint|e2e|verify|coverage|\b(?:ava|ci)\b/i;
/** A package's name; in Turborepo, dots may follow it. */
const WHOLE = /^(?:@\w[\w.-]*\/)?\w[\w-]*(?:\.[\w-]+)*(?=$|\.{3}$)/;
/** Test runners use the folder of their settings as the folder of the tests, unless an option names another one. */
const CONFIGURED =
  /^(?!.*\s--root(?:Dir)?[\s=]).*?\b(?:jest|vitest|mocha|ava|playwright|cypress)\b.*?\s(?:-c|--config|--project)(?:\s+|=)["']?(\.\.\/[^\s"']*\/)[^\s"'/]+/dg;

/**
 * Notes the folders of packages whose own tests a script runs: `yarn workspace x test`, `jest -c ../x/jest.config.js`. A
 * script that only names a package uses only its sources.
 * @param offset of the text
 */
export function addTestedFolders(
  text: string,
  kind: ReferenceKind,
  offset: number,
  found: Collector,
): void {
  if (!MAY_SELECT.test(text)) return;
  for (const { 0: command, index } of text.matchAll(COMMAND)) {
    const verbs = command.replace(RUNS_IN, "");
    const runsTests = CHECKS.test(verbs) || !MAKES.test(verbs);
    for (const { 1: names = "", indices } of runsTests
      ? command.matchAll(RUNS_IN)
      : []) {
      let at = offset + index + (indices?.[1]?.[0] ?? 0);
      for (const name of names.split(",")) {
        const whole = WHOLE.exec(name)?.[0];
        if (whole !== undefined) found.add(`${whole}/`, kind, at, true);
        at += name.length + 1;
      }
    }
    for (const { 1: folder = "", indices } of command.matchAll(CONFIGURED))
      found.add(folder, kind, offset + index + (indices?.[1]?.[0] ?? 0), true);
  }
}
