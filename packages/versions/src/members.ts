import type { Dependency } from "@skein/workspaces";
import { isMap, isScalar, parseDocument } from "yaml";

/** A workspace of the project, with the fields that the policy needs. */
export interface Member {
  readonly name: string;
  readonly dir: string;
  readonly version: string | undefined;
  readonly dependencies: readonly Dependency[];
}

/** Maps catalog names (`` for the default one) to idents to ranges. */
export type Catalogs = ReadonlyMap<string, ReadonlyMap<string, string>>;

/** Returns the path of a workspace's manifest. */
export function manifestOf(dir: string): string {
  return dir === "." ? "package.json" : `${dir}/package.json`;
}

/** Reads `catalog` and `catalogs` of a .yarnrc.yml or pnpm-workspace.yaml. */
export function readCatalogs(text: string): Catalogs {
  const catalogs = new Map<string, Map<string, string>>();
  const document = parseDocument(text);
  const take = (name: string, node: unknown) => {
    if (!isMap(node)) return;
    const ranges = new Map<string, string>();
    for (const { key, value } of node.items) {
      if (isScalar(key) && isScalar(value))
        ranges.set(String(key.value), String(value.value));
    }
    catalogs.set(name, ranges);
  };
  take("", document.get("catalog"));
  const named = document.get("catalogs");
  if (isMap(named)) {
    for (const { key, value } of named.items)
      if (isScalar(key)) take(String(key.value), value);
  }
  return catalogs;
}
