import { programsWhere } from "@skein/known-tools";
import type { ReferenceKind } from "../../reference.js";
import { MAY_SELECT, selectedIn } from "./selected-packages.js";
import type { Collector } from "../positions.js";

const COMMAND = /[^;&|\n]+/g;
/** Scripts that don't run tests, unless another word shows that they do. */
const MAKES =
  /\b(?:build|compile|bundle|generate|codegen|start|serve|dev|watch|clean|pack)\b/;
const CHECKS =
  /test|spec|jest|mocha|check|lint|e2e|verify|coverage|\b(?:ava|ci)\b/i;
/** Test runners use the folder of their settings as the folder of the tests, unless an option names another one. */
const CONFIGURED = new RegExp(
  String.raw`^(?!.*\s--root(?:Dir)?[\s=]).*?\b(?:${programsWhere(({ runsTests }) => runsTests === true).join("|")})\b.*?\s(?:-c|--config|--project)(?:\s+|=)["']?(\.\.\/[^\s"']*\/)[^\s"'/]+`,
  "dg",
);

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
    const selected = selectedIn(command).filter(
      ({ kind: what }) => what === "package",
    );
    const verbs = selected.reduceRight(
      (rest, { name, index: at }) =>
        rest.slice(0, at) + rest.slice(at + name.length),
      command,
    );
    if (CHECKS.test(verbs) || !MAKES.test(verbs))
      for (const { name, index: at } of selected)
        found.add(`${name}/`, kind, offset + index + at, true);
    for (const { 1: folder = "", indices } of command.matchAll(CONFIGURED))
      found.add(folder, kind, offset + index + (indices?.[1]?.[0] ?? 0), true);
  }
}
