import { existsSync, readFileSync, realpathSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, dirname, extname, join, sep } from "node:path";
import { types } from "node:util";
import { firstDifference, snapshotsOfModule, type Snapshot } from "./facts.js";

/** The modules that runs of Jest load into the host's own realm: settings, transforms, environments. */
export interface Modules {
  /**
   * Removes the modules that the last run loaded, so that the next one loads them again.
   * @returns why a module stays loaded or differs; null if none does
   */
  forget(cwd: string): string | null;
}

/** The properties of Node's modules that this file uses. */
interface Loaded {
  readonly id: string;
  readonly exports: unknown;
  /** Missing if a program has put the entry into the cache itself. */
  readonly children?: readonly Loaded[];
}
/** A module, as it was when it was first seen. */
interface Known {
  readonly exports: unknown;
  readonly snapshots: readonly Snapshot[];
}
type Load = (file: string, ...rest: readonly unknown[]) => Promise<unknown>;
interface Manifest {
  readonly dependencies?: Readonly<Record<string, string>>;
}

/**
 * Words that a module needs to read or change its surroundings. A module without any of them behaves the same whether
 * it is loaded once or twice.
 */
const NOT_PURE =
  /\b(?:import|require|process|global|globalThis|await|eval|Function|Date|Math|performance)\b/;
const COMMENTS = /\/\*[^]*?\*\/|(?<![:"'`\\])\/\/.*/g;
const IMPORTS = /\bimport\s*\(/;
/** Docstrings. Their types can contain `import()`. */
const DOCSTRINGS = /\/\*\*\s[^]*?\*\//g;
/** Packages whose modules, if changed, change Jest or Babel. */
const WATCHED =
  /[\\/]node_modules[\\/](?:@jest[\\/]|@babel[\\/]|babel-|jest)[^\\/]*[\\/]/;
/** Packages whose `import()` is only used by their own command line. */
const LOADS_NOTHING =
  /[\\/]node_modules[\\/](?:typescript|@typescript[\\/]old)[\\/]/;
const BABEL = /[\\/]node_modules[\\/]@babel[\\/]/;

/**
 * Opens the modules of a host. Jest's own packages and Babel's stay loaded: loading them is the slow part of a start,
 * and they store data about a package only by the paths of its files. All other modules are removed after each run.
 * @param bin Jest's program file
 */
export function openModules(bin: string): Modules {
  const cache = createRequire(bin).cache as Record<string, Loaded | undefined>;
  const own = closureOf(packageOf(bin));
  let stays: string | null = null;
  const isOwn = (file: string) => own.has(packageOf(file)) || BABEL.test(file);
  watchLoads(bin, (file) => {
    const loaded = cache[file];
    const isModule = !loaded || types.isModuleNamespaceObject(loaded.exports);
    if (isModule && extname(file) !== ".json" && !isPure(file))
      stays = `the module ${file} stays loaded`;
  });
  const known = new Map<string, Known>();
  /** Returns a difference in modules that stay: they must be as they were when they were first seen. */
  const changedModules = (): string | null => {
    let changed: string | null = null;
    for (const [file, module] of Object.entries(cache)) {
      const exports = module?.exports;
      const before = known.get(file);
      if (before) {
        changed ??=
          before.exports === exports
            ? firstDifference(before.snapshots)
            : `${file} was changed`;
      } else if (WATCHED.test(file)) {
        const snapshots = snapshotsOfModule(file, exports);
        known.set(file, { exports, snapshots });
      }
    }
    return changed;
  };
  changedModules();
  return {
    forget(cwd) {
      const changed = changedModules();
      const loaded = Object.keys(cache).filter((file) => !isOwn(file));
      const isForeign = (file: string) => !file.startsWith(cwd + sep);
      // Babel caches loaded modules by name. Modules that several packages share may depend on the first of them.
      const shared = new Set(loaded.filter(isForeign));
      const usedByBabel = Object.entries(cache).some(
        ([file, module]) =>
          BABEL.test(file) &&
          module?.children?.some(({ id }) => shared.has(id)),
      );
      for (const file of loaded) {
        if (!LOADS_NOTHING.test(file) && mayImport(file))
          stays ??= `${file} may have loaded a module that stays loaded`;
        Reflect.deleteProperty(cache, file);
        known.delete(file);
      }
      if (usedByBabel)
        for (const file of Object.keys(cache))
          if (/[\\/]node_modules[\\/](?:@babel[\\/]|babel-)/.test(file)) {
            Reflect.deleteProperty(cache, file);
            known.delete(file);
          }
      const gone = new Set(loaded);
      for (const module of Object.values(cache))
        if (module?.children?.some(({ id }) => gone.has(id)))
          Object.assign(module, {
            children: module.children.filter(({ id }) => !gone.has(id)),
          });
      return stays ?? changed;
    },
  };
}

/**
 * Calls `onLoad` for each file that Jest loads by its path. @throws {Error} if Jest's packages have several versions of
 * the loader
 */
function watchLoads(bin: string, onLoad: (file: string) => void): void {
  const resolve = (from: string, name: string) =>
    createRequire(from).resolve(name);
  const cli = /[\\/]jest-cli[\\/]bin[\\/]/.test(bin)
    ? join(dirname(bin), "..", "package.json")
    : resolve(bin, "jest-cli");
  const core = resolve(cli, "@jest/core");
  const file = resolve(core, "jest-util");
  for (const name of ["jest-config", "@jest/transform", "jest-runner"])
    if (resolve(resolve(core, name), "jest-util") !== file)
      throw new Error("Jest's packages have several versions of jest-util");
  const util = createRequire(file)(file) as { requireOrImportModule: Load };
  const load = util.requireOrImportModule;
  const watched = Object.defineProperties(
    {},
    {
      ...Object.getOwnPropertyDescriptors(util),
      requireOrImportModule: {
        enumerable: true,
        value: async (path: string, ...rest: readonly unknown[]) => {
          const loaded = await load(path, ...rest);
          onLoad(path);
          return loaded;
        },
      },
    },
  );
  const module = createRequire(file).cache[file];
  if (module) Object.assign(module, { exports: watched });
}

function isPure(file: string): boolean {
  return !NOT_PURE.test(textOf(file).replace(COMMENTS, ""));
}

function mayImport(file: string): boolean {
  const text = textOf(file);
  return IMPORTS.test(text) && IMPORTS.test(text.replace(DOCSTRINGS, ""));
}

function textOf(file: string): string {
  try {
    return /\.(?:node|json)$/.test(file) ? "" : readFileSync(file, "utf8");
  } catch {
    return "import()";
  }
}

/** Returns the folder of the package that contains a file. */
function packageOf(file: string): string {
  const at = file.lastIndexOf(`${sep}node_modules${sep}`);
  if (at < 0) return dirname(file);
  const rest = file
    .slice(at)
    .split(sep)
    .slice(0, file[at + 14] === "@" ? 4 : 3);
  return file.slice(0, at) + rest.join(sep);
}

/** Returns the folders of a package and of all its dependencies, direct or not. */
function closureOf(dir: string): ReadonlySet<string> {
  const found = new Set([dir]);
  const known = new Map<string, string | undefined>();
  const at = (folder: string) => {
    if (!known.has(folder))
      known.set(
        folder,
        existsSync(join(folder, "package.json"))
          ? realpathSync(folder)
          : undefined,
      );
    return known.get(folder);
  };
  for (const from of found) {
    const file = join(from, "package.json");
    if (!existsSync(file)) continue;
    const { dependencies = {} } = JSON.parse(
      readFileSync(file, "utf8").replace(/^\uFEFF/, ""),
    ) as Manifest;
    for (const name of Object.keys(dependencies)) {
      const folder = foldersAbove(from)
        .map((above) => at(join(above, "node_modules", name)))
        .find((each) => each !== undefined);
      if (folder !== undefined) found.add(folder);
    }
  }
  return found;
}

/** Returns a folder and all folders above it that may have `node_modules`. */
function foldersAbove(folder: string): readonly string[] {
  const found = [folder];
  for (let dir = folder; dirname(dir) !== dir; dir = dirname(dir))
    if (basename(dirname(dir)) !== "node_modules") found.push(dirname(dir));
  return found;
}
