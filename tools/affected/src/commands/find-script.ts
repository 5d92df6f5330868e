import { count, nearest, printable, usageFailure } from "@skein/reporting";
import type { Failure } from "@skein/reporting";
import type { PackageFacts } from "@skein/workspaces";

/** Who is asked for a script. */
export interface ScriptSearch {
  readonly script: string;
  /** Every package of the project, with its manifest; the root among them. */
  readonly packages: readonly PackageFacts[];
  /** Names of the packages that the script is to run in. */
  readonly selected: readonly string[];
  /** Words that could have been meant instead of the script: the tool's own verbs. */
  readonly verbs: readonly string[];
}

/**
 * Checks that a run would run something. A run of nothing would be green: the script may be misspelt, or the project may
 * run it in another way.
 * @returns why nothing would run, with the scripts that were probably meant; undefined where a selected package has the
 *   script, and where no package is selected but one has it
 */
export function scriptFailure(search: ScriptSearch): Failure | undefined {
  const { script, packages, selected, verbs } = search;
  const scriptsOf = ({ manifest }: PackageFacts) =>
    Object.keys(manifest?.scripts ?? {});
  const has = (facts: PackageFacts) => scriptsOf(facts).includes(script);
  const name = JSON.stringify(script);
  if (!packages.some(has)) {
    const near = nearest(script, [
      ...new Set(packages.flatMap(scriptsOf)),
      ...verbs,
    ]);
    const meant = near.map((each) => `\`affected ${printable(each)}\``);
    return usageFailure(
      `no package has a script called ${name}`,
      hintOf(
        meant.length > 0
          ? [`did you mean ${meant.join(" or ")}?`]
          : otherWays(search),
      ),
    );
  }
  const names = new Set(selected);
  const chosen = packages.filter((facts) => names.has(facts.name));
  if (chosen.length === 0 || chosen.some(has)) return undefined;
  const who =
    chosen.length === 1
      ? `the selected package ${printable(chosen[0]?.name ?? "")} has no script`
      : `none of the ${count(chosen.length, "selected package")} has a script`;
  return usageFailure(
    `${who} called ${name}`,
    hintOf([
      ...otherWays(search),
      "--if-present runs nothing then, without an error",
    ]),
  );
}

function hintOf(hints: readonly string[]) {
  return hints.length > 0 ? { hint: hints.join("; ") } : {};
}

/** Scripts that are named: more would hide the first. */
const MOST = 3;

/** The scripts of selected packages and of the root that have to do with a script: by their names, else by their commands. */
function otherWays({ script, packages, selected }: ScriptSearch): string[] {
  const names = new Set(selected);
  const own = new Set(
    packages
      .filter(({ name }) => names.has(name))
      .flatMap(({ manifest }) => Object.keys(manifest?.scripts ?? {}))
      .filter((name) => mentions(name, script)),
  );
  const root = packages.find(({ dir }) => dir === ".")?.manifest?.scripts ?? {};
  const ways = Object.entries(root).filter(
    ([name, command]) =>
      (mentions(name, script) || mentions(command, script)) &&
      // That one asks us again.
      !mentions(command, "affected"),
  );
  const shown = ways
    .toSorted(([one], [other]) => rank(one, script) - rank(other, script))
    .slice(0, MOST)
    .map(
      ([name, command]) =>
        `\`yarn ${printable(name)}\` (${printable(command)})`,
    );
  return [
    ...(own.size > 0
      ? [
          `these packages have ${[...own].slice(0, MOST).map(printable).join(", ")}`,
        ]
      : []),
    ...(shown.length > 0 ? [`the root has ${shown.join(", ")}`] : []),
  ];
}

/** The script's own name comes first, then names that hold it, then commands that do. */
function rank(name: string, script: string): number {
  return name === script ? 0 : mentions(name, script) ? 1 : 2;
}

/** Whether a word stands in a text by itself: `test` in `test:unit` and in `make test`, not in `latest`. */
function mentions(text: string, word: string): boolean {
  return wordsIn(text).includes(wordsIn(word));
}

/** A text with one space before and after each of its words. */
function wordsIn(text: string): string {
  return ` ${text.split(/[^\p{L}\p{N}]+/u).join(" ")} `;
}
