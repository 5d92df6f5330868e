import type { Knowledge, LookPackage } from "../look.js";

/** Collects the contents of a tool's settings, and notes about the parts that skein.json can't express. */
export interface Collector {
  /** Adds what runs before a script. Words are `build`, `^build` and `name#build`. */
  before(script: string, words: readonly string[]): void;
  /** Adds globs of a script's inputs, relative to the package's folder. */
  inputs(script: string, globs: readonly string[]): void;
  implicit(name: string, dependencies: readonly string[]): void;
  everything(globs: readonly string[]): void;
  note(sentence: string): void;
  done(): Knowledge;
}

/**
 * Makes a collector. It ignores scripts and packages that the workspace doesn't have.
 * @param file the file with the settings, for the notes
 */
export function collect(
  tool: Knowledge["tool"],
  file: string,
  packages: readonly LookPackage[],
): Collector {
  const names = new Set(packages.map(({ name }) => name));
  const scripts = new Set(
    packages.flatMap(({ scripts }) => Object.keys(scripts)),
  );
  const pipeline = new Map<string, string[]>();
  const inputs = new Map<string, string[]>();
  const implicit = new Map<string, string[]>();
  const everything = new Set<string>();
  const notes: string[] = [];
  const note = (sentence: string) => void notes.push(`${file}: ${sentence}`);
  const isKnown = (word: string) => {
    const at = word.lastIndexOf("#");
    const script = word.slice(at + 1).replace(/^\^/, "");
    return scripts.has(script) && (at < 0 || names.has(word.slice(0, at)));
  };
  return {
    before(script, words) {
      const known = words.filter(isKnown);
      // An entry for one package replaces that of the script, also if it is empty.
      if (isKnown(script) && (known.length > 0 || script.includes("#")))
        add(pipeline, script, known);
    },
    inputs(script, globs) {
      if (!scripts.has(script)) return;
      const [fit, strange] = partition(globs, isGlob);
      for (const glob of strange)
        note(
          `the input ${glob} of ${script} is not imported: skein.json has no such glob`,
        );
      if (fit.length > 0) add(inputs, script, fit);
    },
    implicit(name, dependencies) {
      const known = dependencies.filter((each) => names.has(each));
      if (names.has(name) && known.length > 0) add(implicit, name, known);
    },
    everything(globs) {
      for (const glob of globs) everything.add(glob);
    },
    note,
    done: () => ({
      tool,
      file,
      pipeline: Object.fromEntries(pipeline),
      inputs: Object.fromEntries(inputs),
      implicitDependencies: Object.fromEntries(implicit),
      everything: [...everything],
      notes,
    }),
  };
}

function add(
  map: Map<string, string[]>,
  key: string,
  values: readonly string[],
): void {
  map.set(key, [...new Set([...(map.get(key) ?? []), ...values])]);
}

/**
 * Returns whether skein.json supports the glob: no extended globs, no variables, nothing outside of the package's
 * folder.
 */
function isGlob(glob: string): boolean {
  return !/[()$\\]|^!?\/|(^!?|\/)\.\.(\/|$)/.test(glob) && glob !== "";
}

function partition<T>(
  all: readonly T[],
  fits: (each: T) => boolean,
): readonly [T[], T[]] {
  return [all.filter(fits), all.filter((each) => !fits(each))];
}
