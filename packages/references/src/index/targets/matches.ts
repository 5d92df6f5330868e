import { groupBy, remember } from "@skein/reporting/group-by";
import { MAPS_SIGN, type ReferenceKind } from "../../reference.js";
import { below, dirOf, foldersAbove, keysOf } from "../../resolve.js";
import {
  openAliasTargets,
  readAliases,
  targetsOfName,
  type Aliases,
  type Rerouted,
} from "./aliases.js";
import { openRootTsconfigs } from "./root-tsconfigs.js";
import { rerouteByAliases } from "./rerouted-imports.js";
import { rerouteByFolders, rowsAtUsers } from "./other-folders.js";
import { isInOwnFolder, rowsDescribedBy } from "./described.js";
import { beginsHere, fileOfLink, type HereWorld } from "./file-of.js";
import { openUsersOfSettings, settingsOver } from "../users/settings-users.js";
import {
  readCalledScripts,
  type CalledScripts,
  type ScriptWord,
} from "./called-scripts.js";
import { OF_MANIFESTS } from "../kinds.js";
import { isGuessAbove, mayCoverAny, coversFolder } from "./covered-folders.js";
import type { Layer } from "../layer.js";
import type { Layout } from "../layout.js";
import { PackageNamings } from "./package-namings.js";
import {
  byPlace,
  dedupe,
  match,
  NamesInFolder,
  ofKind,
  type Match,
  type Row,
} from "./match.js";

/** References of scripts, whose text is on their line in the manifest. */
const BY_SCRIPTS: ReadonlySet<ReferenceKind> = new Set<ReferenceKind>([
  "script",
  "test-script",
  "glob",
  "root-path",
  "root-guess",
  "manifests",
]);

/** Finds the rows that may mean a path. An index that needs a pass over all rows is made at its first use. */
export class Matches {
  readonly #layers: readonly Layer[];
  readonly #layout: Layout;
  readonly #world: HereWorld;
  /** Returns the rows that mean files of packages in a folder, by layer. */
  readonly #ownedIn = remember((folder: string) =>
    this.#inFolder(folder, false),
  );
  /** Returns the same for files that no package owns. */
  readonly #unownedIn = remember((folder: string) =>
    this.#inFolder(folder, true),
  );
  /** Returns the rows that mean files in a folder although they don't name it. */
  readonly #otherNamesIn = remember((folder: string) => {
    const names = new NamesInFolder();
    for (const { layer, row, begins = "" } of this.rerouted().get(folder) ?? [])
      if (coversFolder(layer, row, folder, this.#layout))
        names.add(
          match(layer, row, true, folder),
          below(folder, begins),
          layer.table.suffixOf(row),
        );
    return names;
  });
  readonly #namings: PackageNamings;
  #atUsers: readonly Row[] | undefined;
  #rerouted: ReadonlyMap<string, readonly Rerouted[]> | undefined;
  #aliases: Aliases | undefined;
  #aliasAt: ReturnType<typeof openAliasTargets> | undefined;
  #calledScripts: CalledScripts | undefined;

  constructor(layers: readonly Layer[], layout: Layout) {
    this.#layers = layers;
    this.#layout = layout;
    this.#world = { layers, layout };
    this.#namings = new PackageNamings(layers, layout);
  }

  /** Returns all rows that may mean this path, sorted by file. */
  of(path: string): readonly Match[] {
    const matches = this.withGuesses(path);
    // A word without a folder may name a file beside it. In a package, such words are too frequent to count.
    const isRoots = this.#layout.ownerOf(path) === this.#layout.root;
    const isManifest =
      path.endsWith("package.json") && this.#layout.byDir.has(dirOf(path));
    const meant = matches.filter((each) => {
      const { layer, row } = each;
      const kind = layer.kind(row);
      return (
        (!layer.isOwnGuess(row) ||
          (isRoots && isInOwnFolder(each, this.#layout.root))) &&
        (isRoots || kind !== "near-guess") &&
        (isManifest || !OF_MANIFESTS.has(kind))
      );
    });
    if (isRoots) meant.push(...rowsDescribedBy(path, this.#world));
    const byCall = meant.flatMap((match) => this.#callsOf(match));
    return [...meant, ...byCall].sort(byPlace);
  }

  /**
   * Returns the same rows with those that only may lead to a file of the same package, unsorted, and without calls of
   * scripts.
   */
  withGuesses(path: string): readonly Match[] {
    return [
      ...this.#direct(path),
      ...this.#namings.of(path),
      ...this.#byOtherName(path),
      ...this.#below(path),
    ];
  }

  /** Returns whether a manifest maps paths behind the package's name to files, so that the package may name itself. */
  mapsPaths(manifest: string): boolean {
    return this.#layers.some((layer) =>
      layer
        .rowsIn(manifest)
        .some((row) => layer.table.specifierOf(row) === MAPS_SIGN),
    );
  }

  /** Returns the rows that mean a file in a submodule, or behind a symlink to a folder, of this path. */
  #below(path: string): Match[] {
    const found = this.#layers.flatMap((layer) =>
      layer
        .rowsBelow(path)
        .filter(
          (row) =>
            !layer.isFromPackage(row) && !beginsHere(layer, row, this.#world),
        )
        .map((row) => match(layer, row, false)),
    );
    return found.length > 0 && this.#isFile(path) ? [] : found;
  }

  /** Returns whether git has a file of this path that isn't a symlink, so that nothing is below it. */
  #isFile(path: string): boolean {
    return this.#layers.some(
      (layer) =>
        layer.hasFile(path) &&
        !layer.rowsIn(path).some((row) => layer.kind(row) === "symlink"),
    );
  }

  /** Returns whether a row belongs to a script of the root: importing the root's manifest doesn't run it. */
  isOfRootScript(layer: Layer, row: number): boolean {
    return (
      BY_SCRIPTS.has(layer.kind(row)) &&
      layer.from(row) === this.#layout.root &&
      layer.file(row) === "package.json"
    );
  }

  /** Returns the packages' calls of the root's script that contains a row. */
  callsOfScript(layer: Layer, row: number): readonly ScriptWord[] {
    if (!this.isOfRootScript(layer, row)) return [];
    const { line } = layer.table.referenceOf(row);
    return [...(this.#called().callersOf.get(line) ?? [])];
  }

  /** Returns the packages' calls of a script of the root. */
  callsOfRootScript(script: string): readonly ScriptWord[] {
    return [...(this.#called().callersByName.get(script) ?? [])];
  }

  #callsOf(script: Match): Match[] {
    const { layer, row, byFolder } = script;
    if (!this.isOfRootScript(layer, row)) return [];
    const { reference } = script;
    const { target } = reference;
    const path = target.kind === "path" ? target.path : undefined;
    return this.callsOfScript(layer, row).map((call) =>
      match(call.layer, call.row, byFolder, path, reference),
    );
  }

  #called(): CalledScripts {
    return (this.#calledScripts ??= readCalledScripts(
      this.#layers,
      this.#layout,
    ));
  }

  /** Returns rows that have another meaning because of an alias, or relative to another folder. */
  rerouted(): ReadonlyMap<string, readonly Rerouted[]> {
    if (this.#rerouted) return this.#rerouted;
    const named = this.#named.bind(this);
    const all = [
      ...rerouteByAliases(this.#layers, this.#layout, this.#allAliases()),
      ...rerouteByFolders({
        layers: this.#layers,
        layout: this.#layout,
        atUsers: this.atUsers(),
        usersOfSettings: openUsersOfSettings(named),
        callersOf: ({ layer, row }) =>
          this.callsOfScript(layer, row).map(({ owner }) => owner),
      }),
      ...this.#called().rerouted,
    ];
    return (this.#rerouted = groupBy(all, ({ key }) => key));
  }

  /** Returns the rows of settings whose paths begin at the folder of each package that includes the settings. */
  atUsers(): readonly Row[] {
    return (this.#atUsers ??= rowsAtUsers(this.#layers));
  }

  /** Returns the name of an alias for which a row is only the target. @see openAliasTargets */
  aliasOf(layer: Layer, row: number): string | undefined {
    return (this.#aliasAt ??= openAliasTargets(this.#layers))(layer, row);
  }

  /** Returns the targets to which aliases lead a name that an external package of a package uses. */
  ofNameInExternal(from: number, name: string): readonly Rerouted[] {
    return targetsOfName(this.#allAliases(), this.#layout.dirOf(from), name);
  }

  #allAliases(): Aliases {
    if (this.#aliases) return this.#aliases;
    const named = this.#named.bind(this);
    return (this.#aliases = readAliases(this.#layers, {
      extendersOf: (settings) => settingsOver(settings, named),
      isOfRoot: openRootTsconfigs({
        layers: this.#layers,
        layout: this.#layout,
        named,
        called: () => this.#called(),
      }),
    }));
  }

  /** Returns the rows that may mean a file by its path or by its package's name. */
  #named(path: string, only?: ReferenceKind): readonly Match[] {
    return [...this.#direct(path, only), ...this.#namings.of(path, only)];
  }

  /** @param only rows of this kind; some kinds are rare, and only numbers are compared to find them */
  #direct(path: string, only?: ReferenceKind): readonly Match[] {
    const matches: Match[] = [];
    const isUnowned = this.#layout.ownerOf(path) === this.#layout.root;
    const keys = keysOf(path);
    for (const [number, layer] of this.#layers.entries()) {
      const rowsOf = (key: string) => this.#rowsOf(layer, key, only);
      // If a module is mocked, Jest loads the mock beside it.
      const mocked = path.replace(/(^|\/)__mocks__\//, "$1");
      for (const key of mocked === path ? [] : keysOf(mocked))
        for (const row of rowsOf(key))
          if (layer.kind(row) === "mock")
            matches.push(match(layer, row, false));
      for (const key of keys)
        for (const row of rowsOf(key))
          // A reference to a folder means matching files in it, and not everything whose name begins like the folder.
          if (
            (key === path || !layer.isPartial(row)) &&
            (key !== dirOf(path) ||
              !isGuessAbove(layer, row, key, this.#layout)) &&
            this.#mayLinkTo(path, layer, row)
          )
            matches.push(match(layer, row, false));
      for (const folder of foldersAbove(path)) {
        const names =
          only === undefined
            ? (isUnowned ? this.#unownedIn : this.#ownedIn)(folder)[number]
            : this.#namesIn(layer, folder, isUnowned, only);
        matches.push(...(names?.meaning(path, keys) ?? []));
      }
    }
    return dedupe(matches);
  }

  /** Returns whether a row isn't a symlink to another file. */
  #mayLinkTo(path: string, layer: Layer, row: number): boolean {
    if (layer.kind(row) !== "symlink") return true;
    const linked = fileOfLink(layer, row, this.#layers);
    return linked === undefined || linked === path;
  }

  #inFolder(folder: string, isUnowned: boolean): readonly NamesInFolder[] {
    return this.#layers.map((layer) => this.#namesIn(layer, folder, isUnowned));
  }

  #namesIn(
    layer: Layer,
    folder: string,
    isUnowned: boolean,
    only?: ReferenceKind,
  ): NamesInFolder {
    const names = new NamesInFolder();
    for (const row of this.#rowsOf(layer, folder, only))
      // `join(root, name)` may be any file that no package owns; packages are usually named.
      if (
        (isUnowned && mayCoverAny(layer, row, folder, this.#layout)) ||
        coversFolder(layer, row, folder, this.#layout)
      )
        names.add(match(layer, row, true), ...layer.namesIn(row, folder));
    return names;
  }

  #rowsOf(layer: Layer, key: string, only?: ReferenceKind): readonly number[] {
    return ofKind(layer, layer.rowsOfPath(key), only).filter(
      (row) =>
        !layer.isFromPackage(row) && !beginsHere(layer, row, this.#world),
    );
  }

  #byOtherName(path: string): Match[] {
    const matches: Match[] = [];
    const rerouted = this.rerouted();
    if (rerouted.size === 0) return matches;
    const keys = keysOf(path);
    for (const key of keys)
      for (const { layer, row } of rerouted.get(key) ?? [])
        if (
          (key === path || !layer.isPartial(row)) &&
          (key !== dirOf(path) || !isGuessAbove(layer, row, key, this.#layout))
        )
          matches.push(match(layer, row, false, key));
    for (const folder of foldersAbove(path))
      matches.push(...this.#otherNamesIn(folder).meaning(path, keys));
    return matches;
  }
}
