import { count, printable, some } from "@skein/reporting";
import type { Gap } from "../event.js";
import type { Miss } from "../judge.js";

/** Renders why a recording is incomplete, one sentence per reason. All unexplained files share one sentence. */
export function gapLines(gaps: readonly Gap[]): string[] {
  const files = gaps.flatMap((gap) =>
    gap.kind === "unexplained-file" ? [gap.path] : [],
  );
  return [
    ...gaps
      .filter(({ kind }) => kind !== "unexplained-file")
      .map((gap) => gapWords(gap)),
    ...(files.length > 0
      ? [
          `it used files that aren't sources of the project and that no recorded unit made before: ${some(files, MOST_PATHS)}`,
        ]
      : []),
  ];
}

/** The maximum number of paths in one sentence. */
const MOST_PATHS = 5;

/** Renders one reason why a recording is incomplete. */
export function gapWords(gap: Gap): string {
  switch (gap.kind) {
    case "hooks":
      return `recorded by Node's hooks, which miss other programs and some of Node's own reads (${printable(gap.why)})`;
    case "yarn":
      return `Yarn ran the script, so the reads of Yarn itself cannot be separated from those of the script's shell (${printable(gap.why)})`;
    case "lost":
      return `the recording lost something: ${printable(gap.what)}`;
    case "unexplained-file":
      return `it used ${printable(gap.path)}, which isn't a source of the project, and no recorded unit made it before`;
    case "git":
      return `it read ${printable(gap.path)}, one of git's own files`;
    case "network":
      return `it connected to ${printable(gap.address)}`;
    case "other-process":
      return `it connected to a process that is not recorded, through ${printable(gap.address)}`;
    case "changes-source":
      return `it changed ${printable(gap.path)}, which git tracks`;
    case "left-behind":
      return "processes outlived the script";
  }
}

/** A line that fixes a miss, and the file for it. */
export interface FixLine {
  readonly file: string;
  readonly line: string;
}

/**
 * Returns the line that makes selection include the files of a miss.
 * @param dirOf returns a package's folder, relative to the project's root
 */
export function fixLine(miss: Miss, dirOf: (name: string) => string): FixLine {
  const { workspace, owners, files, script } = miss;
  // The folder of the owner is the longest one above the path.
  const dirs = owners
    .map((owner) => `${dirOf(owner)}/`)
    .sort((a, b) => b.length - a.length);
  const inOwner = (path: string) =>
    path.slice(dirs.find((dir) => path.startsWith(dir))?.length ?? 0);
  const setting = (name: string, value: unknown): FixLine => ({
    file: "skein.json",
    line: `"affected": { "${name}": ${JSON.stringify(value)} }`,
  });
  const readDir = dirOf(workspace);
  switch (miss.fix) {
    case "dependency":
      return {
        file: readDir === "." ? "package.json" : `${readDir}/package.json`,
        line: `"devDependencies": { ${owners.map((owner) => `${JSON.stringify(owner)}: "workspace:^"`).join(", ")} }`,
      };
    case "implicit":
      return setting("implicitDependencies", { [workspace]: owners });
    case "manifests":
      return setting("implicitDependencies", { [workspace]: ["*"] });
    case "unowned":
      return setting(
        "unowned",
        Object.fromEntries(files.map((path) => [globOf(path), [workspace]])),
      );
    case "inputs":
      return setting("inputs", {
        [script]: [...new Set(files.map((path) => globOf(inOwner(path))))],
      });
    case "ignored":
      return { file: "skein.json", line: leaveOut("ignore", "unowned") };
    case "not-an-input":
      return { file: "skein.json", line: leaveOut("inputs") };
    case "test":
      return { file: "skein.json", line: leaveOut("tests") };
  }
}

function leaveOut(...names: string[]): string {
  const settings = names.map((name) => `"affected.${name}"`).join(" or ");
  return `${settings} must not match these files`;
}

/** Returns a glob that matches exactly this path. */
function globOf(path: string): string {
  return path.replace(/[*?[\]{}()!+@\\]/g, "\\$&");
}

/** The maximum number of packages whose names appear in a miss. */
const MOST_OWNERS = 3;

/** Renders a miss in one line. */
export function missWords({ unit, files, owners, through, fix }: Miss): string {
  const by =
    through === undefined
      ? ""
      : ` through ${printable(through)}, whose products it used`;
  const what =
    fix === "manifests"
      ? `the package.json of ${count(owners.length, "package")}, as a program that lists all packages does`
      : `${count(files.length, "file")} of ${owners.length > MOST_OWNERS ? count(owners.length, "package") : owners.map(printable).join(", ")}`;
  return `${printable(unit)} read ${what}${by}; a change there would not select it`;
}

/** Returns a sentence on when a fix isn't needed, if it often isn't. */
export function missNote({
  fix,
  files,
}: Pick<Miss, "fix" | "files">): string | undefined {
  if (fix === "manifests")
    return "not needed if the program uses only the names and folders of the packages; with it, every changed package selects this one and its dependents";
  return fix === "unowned" && files.every((path) => TSCONFIG.test(path))
    ? "not needed if only esbuild read it, as Vite, Vitest and tsx do, and the package has its own tsconfig.json: esbuild parses those in all folders above, and uses the nearest"
    : undefined;
}

const TSCONFIG = /(?:^|\/)tsconfig[^/]*\.json$/;
