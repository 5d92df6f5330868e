import type { Collector } from "../positions.js";

/**
 * Modules of other languages have names of their own, and their build tools find them in the workspace by these names. A
 * module's name and its uses are noted like a program that a package provides: `bin x`.
 */
interface Language {
  /** How the names of the language begin here. */
  readonly prefix: string;
  /** A text without this word belongs to another language. */
  readonly sign: RegExp;
  /** The name of the module, in the first group. */
  readonly name?: RegExp;
  /** The names of modules that it uses, in the first group. */
  readonly uses: RegExp;
}

const LANGUAGES: readonly Language[] = [
  // Cargo.toml, pyproject.toml of uv
  {
    prefix: "module",
    sign: /^\[(?:package|project|workspace)\b/m,
    name: /^\[(?:package|project)\][^[]*?^name\s*=\s*["']([\w.-]+)["']/m,
    uses: /^["']?([\w.-]+?)["']?(?:\.workspace\s*=\s*true|\s*=\s*\{[^}\n]*\bworkspace\s*=\s*true)/gm,
  },
  // go.mod
  {
    prefix: "go",
    sign: /^module\s+\S/m,
    name: /^module\s+([^\s/]\S*)/m,
    uses: /^\s*(?:require\s+)?([\w-]+\.[\w.-]+(?:\/[\w.~-]+)+)\s+v\d/gm,
  },
  // pom.xml
  {
    prefix: "maven",
    sign: /<project\b[^]*<artifactId>/,
    name: /<project\b(?:[^<]|<(?!(?:parent|artifactId|dependencies|build)>)|<parent>[^]*?<\/parent>)*<artifactId>\s*([\w.-]+)\s*</,
    uses: /<dependency>(?:(?!<\/dependency>)[^])*?<artifactId>\s*([\w.-]+)\s*</g,
  },
  // pubspec.yaml
  {
    prefix: "pub",
    sign: /^environment:\s*\n\s+sdk:/m,
    name: /^name:\s*(\w+)/m,
    uses: /^ {2}(\w+):/gm,
  },
];

/** Imports of a Go file: each folder of a path may be a module's. */
const GO_IMPORT =
  /^[ \t]*(?:import[ \t]+)?(?:[\w.]+[ \t]+)?"([\w-]+\.[\w.-]+(?:\/[\w.~-]+)+)"/gm;
/** A project of the same build: `project(':packages:b')`, `project(path: ":b")`. */
const GRADLE_PROJECT = /\bproject\(\s*(?:path\s*[:=]\s*)?["']:([\w.:-]+)["']/g;
/** A sibling in an umbrella of Elixir. */
const UMBRELLA = /\{:(\w+),\s*in_umbrella:\s*true/g;

/** Notes the modules of other languages that a text uses, and the one that it describes. */
export function addForeignModules(text: string, found: Collector): void {
  for (const { prefix, sign, name, uses } of LANGUAGES) {
    if (!sign.test(text)) continue;
    const own = name?.exec(text);
    if (own && prefix === "module") found.add("./src/", "near-guess", 0, true);
    if (own?.[1] !== undefined)
      found.add(`${prefix} ${own[1]}`, "script-name", own.index);
    for (const { 1: used = "", index } of text.matchAll(uses))
      if (used !== own?.[1])
        found.add(`${prefix} ${used}`, "script-call", index);
  }
  if (/^package \w+\s*$/m.test(text))
    for (const { 1: path = "", index } of text.matchAll(GO_IMPORT)) {
      const folders = path.split("/");
      for (let end = folders.length; end > 1; end--)
        found.add(
          `go ${folders.slice(0, end).join("/")}`,
          "script-call",
          index,
        );
    }
  if (text.includes("project("))
    for (const { 1: path = "", index } of text.matchAll(GRADLE_PROJECT)) {
      const folders = path.split(":");
      found.add(`${folders.join("/")}/`, "root-path", index, true);
      found.add(`../${folders.at(-1) ?? ""}/`, "glob", index, true);
    }
  if (text.includes("in_umbrella"))
    for (const { 1: name = "", index } of text.matchAll(UMBRELLA))
      found.add(`../${name}/`, "glob", index, true);
}
