import { manifestOf, type Member } from "@skein/versions";
import type { Use } from "./phantoms.js";

/**
 * Returns packages that a workspace's scripts name (`jest --reporters=jest-silent-reporter`) and that its root in the
 * source declares: because they were hoisted, every folder could load them.
 * @param text the workspace's package.json
 */
export function usesInScripts(
  member: Member,
  text: string,
  scripts: unknown,
  atRoot: ReadonlySet<string>,
): readonly Use[] {
  if (typeof scripts !== "object" || scripts === null) return [];
  const lines = text.split("\n");
  return Object.entries(scripts).flatMap(
    ([script, command]: [string, unknown]) =>
      typeof command !== "string"
        ? []
        : [...new Set(command.split(/[\s=,;&|()'"`]+/))]
            .filter((word) => atRoot.has(word))
            .map((name) => ({
              name,
              kind: "config" as const,
              line:
                lines.findIndex(
                  (line) =>
                    line.includes(`${JSON.stringify(script)}:`) &&
                    line.includes(name),
                ) + 1 || 1,
              file: manifestOf(member.dir),
              member,
              isDevelopment: true,
            })),
  );
}
