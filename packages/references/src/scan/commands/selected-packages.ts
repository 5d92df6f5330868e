/** A package, or several, in which a command runs something or that it selects. */
export interface Selected {
  /** The words as they are written, without signs around them. */
  readonly name: string;
  /**
   * - `package`: its name.
   * - `names`: the beginning of names; empty for all packages.
   * - `folder`: a path from the project's root.
   */
  readonly kind: "package" | "names" | "folder";
  /** The position in the command. */
  readonly index: number;
}

/** Programs with an option `-p` that has another meaning: a folder, a tsconfig, folders above. */
const OF_OTHERS = String.raw`(?<!(?:^|[;&|(\n"'/]|\b(?:npx|yarn)\s)\s*(?:tsc|tsgo|vue-tsc|gradlew?|mkdir)\s[^;&|()\n"'${"`"}]*)`;

/** npm's short option; in other programs it means a watcher, a width, or that they write (`prettier -w src/x.js`). */
const OF_NPM = String.raw`(?<=\b(?:npm|npx)\b[^;&|()\n]*\s)-w`;

/** Commands and options that select packages: those of Yarn, npm, pnpm, Turborepo, Nx, lerna, lage, Rush and moon. */
const SELECTS = new RegExp(
  [
    String.raw`(?:\b(?:workspace|focus|prune|explore|(?:npm|pnpm|yarn|bun)\s+link|nx\s+(?:run|show\s+project)|ng\s+run|moon\s+run)\s+`,
    String.raw`(?:^|[\s"'=:])(?:--?filter|-F|--scope|--include|--from|--workspace|${OF_NPM}|--projects?|--package|${OF_OTHERS}-p|--to|--only|--impacted-by)(?:\s+|=)`,
    // `nx build x`, `ng test x`.
    String.raw`\bnx\s+(?!(?:add|affected|connect|daemon|exec|format|g|generate|graph|import|init|list|login|migrate|release|repair|report|reset|run|run-many|show|sync|view-logs|watch)\b|format:)[a-z][\w:-]*\s+`,
    String.raw`\bng\s+(?:build|serve|test|lint|e2e|deploy|extract-i18n)\s+)["']?(?<name>[!@\w.{*][^\s"'${"`"};&|()<>$]*)`,
  ].join("|"),
  "dg",
);
/** A task of a package as a word of its own: `turbo run x#build`. */
const TASK = /(?<![^\s"'])(?<name>@?\w[\w./@-]*)#[\w:-]+/dg;
/** Signs around a name: dependencies and dependents, a range of commits, a group of names. */
const SIGNS = /^(?:\.{3}\^?|\^)|\^?\.{3}$|\[[^\]]*\]|[{}]/g;

const INNER_BRACE = /^[^{]*[\w/][^{]*\{/;

/** A command without any of these selects no packages. Most scripts are shorter than the search. */
export const MAY_SELECT =
  /[-#]|workspace|\bnx\b|\bng\b|moon|focus|explore|prune|\blink\b/;

/**
 * Finds the packages that a command selects by their names, their folders or patterns.
 * @see foldersOfForeach for other folders
 */
export function selectedIn(command: string): readonly Selected[] {
  if (!MAY_SELECT.test(command)) return [];
  const found: Selected[] = [];
  const runIn = foldersOfForeach(command);
  let excludes: number | undefined;
  for (const { groups = {}, indices } of [
    ...command.matchAll(SELECTS),
    ...(command.includes("#") ? command.matchAll(TASK) : []),
  ]) {
    let index = indices?.groups?.["name"]?.[0] ?? 0;
    const words = groups["name"] ?? "";
    // In `@m/{b,c}`, the braces are part of a pattern.
    for (const word of INNER_BRACE.test(words)
      ? [words.replace(/\{.*/, "*")]
      : words.split(",")) {
      const signs = /^[{!.^]*(?=[@\w*])/.exec(word)?.[0] ?? "";
      if (signs.includes("!")) excludes = index;
      else {
        const selected = selectedBy(word);
        if (selected && !runIn.has(index + signs.length))
          found.push({ ...selected, index: index + signs.length });
      }
      index += word.length + 1;
    }
  }
  // All but some.
  return found.length === 0 && excludes !== undefined
    ? [{ name: "", kind: "names", index: excludes }]
    : found.sort((a, b) => a.index - b.index);
}

function selectedBy(word: string): Omit<Selected, "index"> | undefined {
  const plain = word.replaceAll(SIGNS, "");
  const isFolder = /^\.?\//.test(plain) || /^[\w-]+\//.test(plain);
  // `x:build` and `x#build` are tasks.
  const name = plain.replace(/^\.?\//, "").replace(/(?<=.)[:#].*$/, "");
  const wild = name.search(/[*?[]/);
  if (/^\.|^[:#]/.test(name)) return undefined;
  if (isFolder)
    return { name: wild < 0 ? name : name.slice(0, wild), kind: "folder" };
  if (wild >= 0) return { name: name.slice(0, wild), kind: "names" };
  return name === "" ? undefined : { name, kind: "package" };
}

/** The folders of packages in which Yarn runs a script: `yarn workspaces foreach -A --include "libs/**" run build`. */
const FOREACH =
  /\byarn\s[^;&|\n]*?\bworkspaces\s+foreach\s[^;&|\n]*?\s--(?:include|from)[\s=]["']?([\w@.-]+\/[^\s"';&|]*)/dg;

/** Returns the beginnings of such folders, from the project's root, by their positions in a command. */
export function foldersOfForeach(command: string): ReadonlyMap<number, string> {
  const folders = new Map<number, string>();
  if (command.includes("foreach"))
    for (const { 1: glob = "", indices } of command.matchAll(FOREACH)) {
      const wild = glob.search(/[*?[{]/);
      if (!glob.startsWith("@"))
        folders.set(
          indices?.[1]?.[0] ?? 0,
          wild < 0 ? `${glob.replace(/\/$/, "")}/` : glob.slice(0, wild),
        );
    }
  return folders;
}
