/** An option of the verbs that select packages. All code that parses or guesses these options derives from it. */
export interface SelectFlag {
  /** The declaration for commander: `--base <ref>`. */
  readonly flags: string;
  readonly help: string;
  readonly choices?: readonly string[];
  readonly default?: string;
  /** The names of options that can't be combined with it. */
  readonly conflicts?: readonly string[];
  /**
   * Whether git can't start early, because the option means other ends than the default branch and HEAD, or no commits.
   */
  readonly isElsewhere?: true;
}

/** The options that determine the comparison, in the order of the help. */
export const COMPARE_FLAGS: readonly SelectFlag[] = [
  {
    flags: "--base <ref>",
    help: "compare from the merge base of this ref and head; `last-green` is the last commit with a green run on GitHub (default: the default branch)",
  },
  {
    flags: "--since <ref>",
    help: "compare from exactly this commit",
    conflicts: ["base"],
    isElsewhere: true,
  },
  {
    flags: "--head <ref>",
    help: "compare up to this ref (default: HEAD and the working tree)",
    isElsewhere: true,
  },
  { flags: "--committed", help: "ignore the working tree" },
  {
    flags: "--pr <owner/repo#n>",
    help: "use the changes of a pull request; needs no clone",
    conflicts: ["base", "since", "head", "filesFrom"],
    isElsewhere: true,
  },
  {
    flags: "--files-from <file>",
    help: "use the changed files listed in this file; `-` is stdin",
    conflicts: ["base", "since", "head"],
    isElsewhere: true,
  },
  {
    flags: "--deepen <how>",
    help: "whether a shallow clone may fetch the history it lacks",
    choices: ["auto", "never"],
    default: "auto",
  },
  {
    flags: "--fallback <what>",
    help: "if there is nothing to compare with: fail, or select everything",
    choices: ["error", "all"],
    default: "error",
  },
  {
    flags: "--no-source-edges",
    help: "do not search sources for undeclared dependencies",
  },
];

/** The additional options of `list` that take no value. */
export const LIST_FLAGS: readonly SelectFlag[] = [
  { flags: "--table", help: "also print folders and reasons" },
  { flags: "--json", help: "print all details as JSON (version 1)" },
];

/** Returns the option's own name: `--base <ref>` is `--base`. */
export function nameOf({ flags }: SelectFlag): string {
  return flags.split(" ")[0] ?? "";
}

/** Returns whether an option takes no value. */
export function isSwitch({ flags }: SelectFlag): boolean {
  return !flags.includes(" ");
}
