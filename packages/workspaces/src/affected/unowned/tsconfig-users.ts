import { isWithin } from "../../paths.js";
import type { AffectedInput, User } from "../input.js";
import type { DecisionWorld } from "../world.js";
import { folderOfTsconfig } from "./unowned-rules.js";

/** Programs that load the types of every package in `@types` unless their settings name some. */
export const TYPE_CHECKERS: ReadonlySet<string> = new Set(
  `tsc vue-tsc tsgo ttsc tspc tsup tsdown unbuild microbundle rollup webpack ng next nuxt nuxi tsd tstyche dtslint attw eslint
  typedoc api-extractor svelte-check ts-node`.split(/\s+/),
);

/** Those of them that look for a jsconfig.json, too. Most others are editors. */
const READ_JSCONFIG: ReadonlySet<string> = new Set(["svelte-check", "typedoc"]);

/** A package that uses a file, and how. */
type NamedUser = readonly [name: string, user: User];

/** Yields packages below a tsconfig.json that have none of their own: compilers search upwards for it. */
export function* tsconfigUsers(
  file: string,
  { head, references }: AffectedInput,
): Iterable<NamedUser> {
  const folder = folderOfTsconfig(file);
  if (folder === undefined) return;
  for (const { name, dir } of head.packages) {
    if (dir === "." || !isWithin(dir, folder)) continue;
    if (references?.tsconfigFolders.has(dir)) continue;
    const referrer = { file, line: 1, specifier: `found from ${dir}` };
    yield [name, { referrer, testOnly: false }];
  }
}

const TSCONFIG = /(?:^|\/)[^/]*[tj]sconfig[^/]*\.json$/;

/**
 * Yields the packages whose compilers read what a tsconfig of the root lists in `files`, `include` and `references`: those that
 * extend it, also through others, without a list of their own, and those without a tsconfig.json.
 * @param mayBeRun whether programs count, too, that aren't known to run no compiler
 */
export function* usersOfList(
  tsconfig: string,
  { input, units, usersOf }: DecisionWorld,
  mayBeRun: boolean,
): Iterable<NamedUser> {
  const { head, references } = input;
  const lists = new Set([tsconfig]);
  for (const list of lists) {
    for (const [name, user] of tsconfigUsers(list, input)) {
      const isNamed = Object.values(references?.scriptsOf(name) ?? {}).some(
        (text) => text.includes("jsconfig"),
      );
      const isFound = isNamed || !/(?:^|\/)jsconfig\.json$/.test(list);
      const compilers = isFound ? TYPE_CHECKERS : READ_JSCONFIG;
      const compiler = units.runs(name, compilers, mayBeRun, true);
      if (compiler) yield [name, { ...user, testOnly: !compiler.spreads }];
    }
    for (const user of usersOf(list)) {
      const { file } = user.referrer;
      if (!TSCONFIG.test(file) || references?.listsFiles(file)) continue;
      const { name, dir } = head.graph.ownerOf(file);
      if (dir === ".") lists.add(file);
      else yield [name, user];
    }
  }
}
