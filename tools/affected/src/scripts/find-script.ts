import { count, nearest, printable, usageFailure } from "@skein/reporting";
import type { Failure } from "@skein/reporting";
import type { PackageFacts } from "@skein/workspaces";

/** A search for a script in the packages of a project. */
export interface ScriptSearch {
  readonly script: string;
  /** All packages of the project with their manifests, including the root. */
  readonly packages: readonly PackageFacts[];
  /** The names of the packages in which the script is to run. */
  readonly selected: readonly string[];
  /** Whether the root's own script would run, too. */
  readonly includeRoot: boolean;
  /** Words that could have been meant instead of the script: the tool's own verbs. */
  readonly verbs: readonly string[];
}

/**
 * Checks that a run would run something. A run without any script would be green, although the script may be misspelt,
 * or the project may run it in another way.
 * @returns why nothing would run, with the scripts that were probably meant; undefined if a selected package has the
 * script, or if no package is selected but one whose script would run has it
 */
export function scriptFailure(search: ScriptSearch): Failure | undefined {
  const { script, packages, selected, includeRoot, verbs } = search;
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
          : [...otherWays(search), "`affected --help` shows every command"],
      ),
    );
  }
  if (
    !packages.some((facts) => has(facts) && (includeRoot || facts.dir !== "."))
  )
    return usageFailure(
      `only the root has a script called ${name}`,
      hintOf(["with --include-root, it runs", IF_PRESENT]),
    );
  const names = new Set(selected);
  const chosen = packages.filter((facts) => names.has(facts.name));
  if (chosen.length === 0 || chosen.some(has)) return undefined;
  const who =
    chosen.length === 1
      ? `the selected package ${printable(chosen[0]?.name ?? "")} has no script`
      : `none of the ${count(chosen.length, "selected package")} has a script`;
  return usageFailure(
    `${who} called ${name}`,
    hintOf([...otherWays(search), IF_PRESENT]),
  );
}

const IF_PRESENT = "with --if-present, this is not an error";

function hintOf(hints: readonly string[]) {
  return { hint: hints.join("; ") };
}

/** The maximum number of scripts in a hint: more would hide the first. */
const MOST = 3;

/** Returns hints with related scripts of the selected packages (by name) and of the root (by name or command). */
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
      // Such a script would start us again.
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

/**
 * Returns the rank of a script of the root: first the same name, then names that contain the script, then other
 * commands.
 */
function rank(name: string, script: string): number {
  return name === script ? 0 : mentions(name, script) ? 1 : 2;
}

/** Returns whether a text contains a word by itself: `test` in `test:unit` and in `make test`, not in `latest`. */
function mentions(text: string, word: string): boolean {
  return wordsIn(text).includes(wordsIn(word));
}

/** Returns a text with one space before and after each of its words. */
function wordsIn(text: string): string {
  return ` ${text.split(/[^\p{L}\p{N}]+/u).join(" ")} `;
}
