import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

/**
 * Returns whether other packages are installed than `yarn.lock` lists, as after `git pull` without `yarn install`. A script
 * that passes then has not passed with the packages of the lockfile. Yarn's node-modules linker and Plug'n'Play record what
 * they installed; without a record, the function returns false.
 * @param root the project's folder, absolute
 */
export function isInstallStale(root: string): boolean {
  return isStale((path) => readText(join(root, path)));
}

/**
 * Returns whether the project was ever installed: by a linker that makes `node_modules`, or by Plug'n'Play.
 * @param root the project's folder, absolute
 */
export function isInstalled(root: string): boolean {
  return ["node_modules", ".pnp.cjs"].some((name) =>
    existsSync(join(root, name)),
  );
}

/**
 * Returns whether the installed packages of the registry differ from those of the lockfile. Pure.
 * @param read returns the text of a file of the project; "" if it doesn't exist
 */
export function isStale(read: (path: string) => string): boolean {
  const lock = read("yarn.lock");
  const locators = lock === "" ? undefined : readLocators(read);
  if (!locators) return false;
  const installed = new Set(
    locators
      .map((locator) => locator.replace(/@virtual:[0-9a-f]+#/, "@"))
      .filter((locator) => isOfRegistry(locator) || isPatched(locator)),
  );
  const entries = lock.split(/\n(?=\S)/).map(readEntry);
  const locked = new Set(entries.map(({ resolution }) => resolution));
  const patched = new Set([...locked].filter(isPatched).map(identOf));
  return (
    [...installed].some((locator) => !locked.has(locator)) ||
    neededBy(entries)
      // For a patched package, the patch is installed instead. The first condition checks that it is the right one.
      .filter((each) => isOfRegistry(each) && !patched.has(identOf(each)))
      .some((locator) => !installed.has(locator))
  );
}

/** Returns the packages that Yarn recorded when it installed them; undefined if there is no record. */
function readLocators(
  read: (path: string) => string,
): readonly string[] | undefined {
  const state = read("node_modules/.yarn-state.yml");
  if (state !== "")
    return Array.from(state.matchAll(LOCATOR), ([, locator = ""]) => locator);
  const loader = read(".pnp.cjs");
  if (loader === "") return undefined;
  // The second file has the data if `pnpEnableInlining` is false.
  return Array.from(
    `${loader}${read(".pnp.data.json")}`.matchAll(DEPENDENCY),
    ([, name = "", reference = ""]) =>
      `${name}@${reference.replaceAll(/\\(.)/g, "$1")}`,
  );
}

/** Matches a line of `.yarn-state.yml` with a package. */
const LOCATOR = /^"?((?:@[^/"\s]+\/)?[^@"\s]+@[^"\n]+?)"?:$/gm;

/**
 * Matches a dependency in the data of Plug'n'Play (https://yarnpkg.com/advanced/pnp-spec). Each package is listed among its
 * own dependencies, too. Line breaks of the data follow a backslash in `.pnp.cjs`.
 */
const DEPENDENCY =
  /\[[\s\\]*"([^"\s]+)",[\s\\]*"((?:npm|patch|virtual):[^"\n]+)"[\s\\]*\]/g;

interface Entry {
  /** The descriptors that it resolves: `ms@npm:^2.0.0`. */
  readonly descriptors: readonly string[];
  readonly resolution: string;
  readonly dependencies: readonly string[];
  /** Whether it is only for some platforms and so may be missing. */
  readonly isConditional: boolean;
}

function readEntry(text: string): Entry {
  const [, keys = ""] = /^"?([^"\n]+?)"?:\n/.exec(text) ?? [];
  const [block = ""] = /^ {2}dependencies:\n(?: {4}.*\n?)+/m.exec(text) ?? [];
  return {
    descriptors: keys.split(", "),
    resolution: /^ {2}resolution: "(.+)"$/m.exec(text)?.[1] ?? "",
    dependencies: Array.from(
      block.matchAll(/^ {4}"?([^":]+)"?: "?([^"\n]+)"?$/gm),
      ([, name = "", range = ""]) => `${name}@${range}`,
    ),
    isConditional: /^ {2}conditions: /m.test(text),
  };
}

/**
 * Returns the resolutions of all packages that the project depends on, directly or not, except those for some platforms and
 * their own dependencies.
 */
function neededBy(entries: readonly Entry[]): readonly string[] {
  const byDescriptor = new Map(
    entries.flatMap((entry) =>
      entry.descriptors.map((descriptor) => [descriptor, entry] as const),
    ),
  );
  const found = new Set(
    entries.filter(({ resolution }) => resolution.includes("@workspace:")),
  );
  // A loop over a set also visits elements that are added during the loop.
  for (const { dependencies } of found)
    for (const descriptor of dependencies) {
      const entry = byDescriptor.get(descriptor);
      if (entry && !entry.isConditional) found.add(entry);
    }
  return Array.from(found, ({ resolution }) => resolution);
}

function isOfRegistry(locator: string): boolean {
  return /^(?:@[^/]+\/)?[^@/]+@npm:[^:]+$/.test(locator);
}

function isPatched(locator: string): boolean {
  return /^(?:@[^/]+\/)?[^@/]+@patch:/.test(locator);
}

function identOf(locator: string): string {
  return locator.slice(0, locator.indexOf("@", 1));
}

function readText(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}
