import type { Look } from "./look.js";
import type { Part } from "./plan-init.js";

/** The tools that a workspace needs to select, run and judge. */
const TOOLS = ["@skein/affected", "@skein/ci-dispatch"] as const;

/**
 * Adds the tools to the root's devDependencies. It leaves ranges alone that a person chose (a link, a workspace, a
 * tag). It replaces our version if that isn't the running one, because the workflows and the tools must belong to the
 * same release.
 */
export function planManifest({ files, range, version }: Look): Part {
  const path = "package.json";
  const before = files[path] ?? "{}";
  const manifest = JSON.parse(before.replace(/^\uFEFF/, "")) as Record<
    string,
    Record<string, string> | undefined
  >;
  const known = manifest["devDependencies"] ?? {};
  const elsewhere = manifest["dependencies"] ?? {};
  const added: Record<string, string> = {};
  for (const tool of TOOLS) {
    if (elsewhere[tool] !== undefined) continue;
    const now = known[tool];
    const next =
      range === undefined
        ? now === undefined || /^[\^~]?\d/.test(now)
          ? version
          : now
        : range.replaceAll("{tool}", tool.replace("@skein/", ""));
    if (next !== now) added[tool] = next;
  }
  if (Object.keys(added).length === 0)
    return { files: [], kept: [], notes: [] };
  const devDependencies = inOrder({ ...known, ...added });
  const after = `${JSON.stringify({ ...manifest, devDependencies }, null, indentOf(before))}${/\n?$/.exec(before)?.[0] ?? ""}`;
  return {
    files: [
      {
        path,
        before,
        after: before.includes("\r\n")
          ? after.replace(/\r?\n/g, "\r\n")
          : after,
        why: "the tools, at the same release as the workflows",
      },
    ],
    kept: [],
    notes:
      range?.startsWith("link:") === true
        ? ["a linked checkout works on this machine, but not in CI"]
        : [],
  };
}

/** Sorts dependencies as Yarn does when it writes a manifest. */
function inOrder(
  dependencies: Readonly<Record<string, string>>,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(dependencies).sort(([a], [b]) => (a < b ? -1 : 1)),
  );
}

function indentOf(json: string): string {
  return /^([ \t]+)"/m.exec(json)?.[1] ?? "  ";
}
