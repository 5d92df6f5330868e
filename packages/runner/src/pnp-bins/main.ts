// Runs with the project's PnP loader. It reads package folders from stdin, and prints the programs that each package
// can call.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";

interface PnpApi {
  findPackageLocator(path: string): Locator | null;
  getPackageInformation(locator: Locator): {
    packageLocation: string;
    packageDependencies: Map<string, string | [string, string] | null>;
  } | null;
}
interface Locator {
  readonly name: string | null;
  readonly reference: string | null;
}

const [root = "", ...dirs] = JSON.parse(readFileSync(0, "utf8")) as string[];
const api = createRequire(join(root, "package.json"))(
  join(root, ".pnp.cjs"),
) as PnpApi;

process.stdout.write(
  JSON.stringify(
    Object.fromEntries(dirs.map((dir) => [dir, Object.fromEntries(bins(dir))])),
  ),
);

function bins(dir: string): Map<string, string> {
  const found = new Map<string, string>();
  const own = api.findPackageLocator(join(root, dir, "/"));
  const info = own && api.getPackageInformation(own);
  if (!info) return found;
  addBins(found, info.packageLocation);
  for (const [name, target] of info.packageDependencies) {
    if (target === null) continue;
    const locator = Array.isArray(target)
      ? { name: target[0], reference: target[1] }
      : { name, reference: target };
    const dependency = api.getPackageInformation(locator);
    if (dependency) addBins(found, dependency.packageLocation);
  }
  return found;
}

function addBins(found: Map<string, string>, location: string): void {
  let manifest: { name?: string; bin?: unknown };
  try {
    manifest = JSON.parse(
      readFileSync(join(location, "package.json"), "utf8").replace(
        /^\uFEFF/,
        "",
      ),
    ) as typeof manifest;
  } catch {
    return; // A package of another platform is in the map but not in the cache.
  }
  const { bin, name } = manifest;
  if (typeof bin === "string" && name !== undefined)
    found.set(name.replace(/^@[^/]*\//, ""), join(location, bin));
  else if (typeof bin === "object" && bin !== null)
    for (const [key, target] of Object.entries(bin as Record<string, string>))
      found.set(key, join(location, target));
}
