import { posix } from "node:path";
import {
  applyEdits,
  findNodeAtLocation,
  modify,
  parse,
  parseTree,
  type JSONPath,
} from "jsonc-parser";
import { isRecord } from "@skein/reporting/is-record";
import { formattingOf } from "@skein/reporting/json-edit";
import type { Placement } from "../../../migration.js";
import { done, stepOf, type StepContext } from "../../step.js";
import type { TreeView } from "../../../tree/draft.js";
import { packageFiles, textOf } from "../manifest/package-files.js";

const TSCONFIG = /(?:^|\/)[^/]*tsconfig[^/]*\.json$/;

/** Options whose values are paths relative to the folder of their file (typescriptlang.org/tsconfig). */
const PATHS: readonly JSONPath[] = [
  ...["baseUrl", "rootDir", "outDir", "declarationDir", "tsBuildInfoFile"].map(
    (name) => ["compilerOptions", name],
  ),
  ...["typeRoots", "rootDirs"].map((name) => ["compilerOptions", name]),
  ["include"],
  ["exclude"],
  ["files"],
];

interface Brought {
  /** The path in the source. */
  readonly home: string;
  /** The path in the target. */
  readonly path: string;
  readonly text: string;
  /** Whether a file that extends this one sets a `baseUrl`: `paths` are then relative to that, wherever the file is. */
  readonly hasBase: boolean;
}

/** The placement of the package that needs a file, and how the file is extended. */
type Place = Placement & Pick<Brought, "hasBase">;

/**
 * Copies tsconfigs that the package extends. With `--only`, a tsconfig at the source's root isn't migrated, so it is
 * copied into the package, with the tsconfigs that it extends in turn. If the relative path leads to a file of the
 * workspace, that one is used instead and never replaced.
 */
export const extendedConfigs = stepOf({
  id: "extended-configs",
  why: "a migrated tsconfig extends it, and it would not have been migrated",
  find,
  what: ({ brought }) =>
    brought.map(({ home, path }) => `${path}: ${home} of the source`),
  async apply(draft, { brought, edits }) {
    for (const { path, text } of brought) await draft.write(path, text);
    for (const [path, text] of edits) await draft.write(path, text);
    return brought.map(({ home, path }) =>
      done(
        `Copied ${home} of the source to ${path}: a migrated tsconfig extends it.`,
      ),
    );
  },
});

async function find(view: TreeView, context: StepContext): Promise<Search> {
  const search = new Search(view, context);
  for (const { path, to, inside } of await packageFiles(view, context)) {
    if (!TSCONFIG.test(inside) || inside.includes("node_modules/")) continue;
    const from = context.placements.find((one) => one.to === to)?.from ?? "";
    if (from !== "")
      await search.visit(path, posix.join(from, inside), { from, to });
  }
  return search;
}

/** Collects the configurations to copy, and the edits that point to them. */
class Search {
  readonly brought: Brought[] = [];
  /** The new text of each path. */
  readonly edits = new Map<string, string>();
  readonly #view: TreeView;
  readonly #context: StepContext;

  constructor(view: TreeView, context: StepContext) {
    this.#view = view;
    this.#context = context;
  }

  /** Points `extends` of one configuration to the copied files. @param home its path in the source */
  async visit(path: string, home: string, placement: Placement): Promise<void> {
    const text = (await textOf(this.#view, path)) ?? "";
    const place = { ...placement, hasBase: setsBase(text) };
    let result = text;
    for (const [key, extended] of extendsOf(text)) {
      const wanted = posix.join(posix.dirname(home), extended);
      if (wanted.startsWith(`${place.from}/`) || wanted.startsWith("../"))
        continue;
      const here = posix.join(posix.dirname(path), extended);
      if ((await this.#isHere(here)) || (await this.#isHere(`${here}.json`)))
        continue;
      const copy = await this.#bring(wanted, place);
      if (copy === undefined) continue;
      const now = posix.relative(posix.dirname(path), copy);
      result = set(result, key, now.startsWith(".") ? now : `./${now}`);
    }
    if (result !== text) this.edits.set(path, result);
  }

  /**
   * Copies a file of the source, unless that was done already. @returns its path; undefined if there is no such file
   */
  async #bring(wanted: string, place: Place): Promise<string | undefined> {
    const { hasBase } = place;
    for (const home of [wanted, `${wanted}.json`]) {
      const known = this.brought.find(
        (one) =>
          one.home === home &&
          one.hasBase === hasBase &&
          posix.dirname(one.path) === place.to,
      );
      if (known) return known.path;
      const text = await textOf(this.#context.source, home);
      if (text === undefined) continue;
      const path = await this.#freePath(place.to, posix.basename(home));
      const at = this.brought.push({ home, path, text, hasBase }) - 1;
      const anchored = reanchor(text, posix.dirname(home), place);
      const inner = { ...place, hasBase: hasBase || setsBase(text) };
      const repaired = await this.#pointBrought(anchored, home, path, inner);
      this.brought[at] = { home, path, text: repaired, hasBase };
      return path;
    }
    return undefined;
  }

  /** Points `extends` of a copied configuration to the files that are copied for it in turn. */
  async #pointBrought(
    text: string,
    home: string,
    path: string,
    place: Place,
  ): Promise<string> {
    let result = text;
    for (const [key, extended] of extendsOf(text)) {
      const wanted = posix.join(posix.dirname(home), extended);
      const copy = await this.#bring(wanted, place);
      if (copy === undefined) continue;
      const now = posix.relative(posix.dirname(path), copy);
      result = set(result, key, `./${now}`);
    }
    return result;
  }

  async #isHere(path: string): Promise<boolean> {
    return (await this.#view.stat(path)) !== undefined;
  }

  async #freePath(to: string, name: string): Promise<string> {
    const base = name === "tsconfig.json" ? "tsconfig.base.json" : name;
    for (let count = 1; ; count++) {
      const path = `${to}/${count === 1 ? base : base.replace(/\.json$/, `-${count}.json`)}`;
      const isTaken = this.brought.some((one) => one.path === path);
      if (!isTaken && !(await this.#isHere(path))) return path;
    }
  }
}

/** Returns each relative `extends` with its JSON path. Configurations of packages are found by name from any folder. */
function extendsOf(text: string): readonly (readonly [JSONPath, string])[] {
  const value = parse(text) as unknown;
  const extended = isRecord(value) ? value["extends"] : undefined;
  const list: readonly (readonly [JSONPath, unknown])[] = Array.isArray(
    extended,
  )
    ? extended.map((one, index) => [["extends", index], one] as const)
    : [[["extends"], extended]];
  return list.flatMap(([key, one]) =>
    typeof one === "string" && /^\.\.?\//.test(one)
      ? [[key, one] as const]
      : [],
  );
}

/** Rewrites relative paths for a file that moves from its own folder into the package's. */
function reanchor(
  text: string,
  dir: string,
  { from, hasBase }: Pick<Place, "from" | "hasBase">,
): string {
  const tree = parseTree(text);
  if (!tree) return text;
  let result = text;
  const move = (key: JSONPath, extended: unknown) => {
    if (typeof extended !== "string" || /^(?:\/|\$\{|[A-Za-z]:)/.test(extended))
      return;
    const now = posix.relative(from, posix.join(dir, extended)) || ".";
    result = set(result, key, now.startsWith(".") ? now : `./${now}`);
  };
  const value = parse(text) as unknown;
  for (const key of PATHS) {
    if (!findNodeAtLocation(tree, key)) continue;
    const found = key.reduce<unknown>(
      (around, part) => (isRecord(around) ? around[String(part)] : undefined),
      value,
    );
    if (Array.isArray(found))
      found.forEach((one, index) => move([...key, index], one));
    else move(key, found);
  }
  const paths = optionsOf(value)["paths"];
  if (!hasBase && !setsBase(text) && isRecord(paths))
    for (const [name, targets] of Object.entries(paths))
      if (Array.isArray(targets))
        targets.forEach((one, index) =>
          move(["compilerOptions", "paths", name, index], one),
        );
  return result;
}

function setsBase(text: string): boolean {
  return optionsOf(parse(text))["baseUrl"] !== undefined;
}

function optionsOf(config: unknown): Readonly<Record<string, unknown>> {
  const options = isRecord(config) ? config["compilerOptions"] : undefined;
  return isRecord(options) ? options : {};
}

function set(text: string, key: JSONPath, value: string): string {
  return applyEdits(
    text,
    modify(text, key, value, { formattingOptions: formattingOf(text) }),
  );
}
