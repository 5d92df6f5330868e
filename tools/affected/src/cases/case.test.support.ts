import { readdirSync, readFileSync } from "node:fs";

/** One step on a copy of the fixture repository. Paths are relative to its top. `{x*9}` in a path means nine x. */
export type Step =
  | { readonly write: string; readonly text: string }
  | { readonly append: string; readonly text: string }
  | { readonly replace: string; readonly was: string; readonly is: string }
  /** Merges into a JSON file; null removes a member (RFC 7396). */
  | { readonly merge: string; readonly with: unknown }
  | { readonly symlink: string; readonly to: string }
  | { readonly delete: string }
  | { readonly move: string; readonly to: string }
  /** Installs locks/NAME.lock: the lockfile that Yarn made after the steps before it (and after `yarn …`, if given). */
  | { readonly lock: string; readonly yarn?: readonly string[] }
  /** Runs git; `{dir}` is the case's folder, which contains `repo`. `in` is a folder in it. */
  | { readonly git: readonly string[]; readonly in?: string }
  /** Commits everything. */
  | { readonly commit: string };

/** A recipe and its right answer. */
export interface Case {
  readonly id: string;
  readonly title: string;
  /** The steps that are applied and committed on main before the branch `change` is made. */
  readonly before?: readonly Step[];
  readonly steps: readonly Step[];
  /** Whether the changes of the steps stay uncommitted. By default, they are committed. */
  readonly leave?: true;
  /** Whether the law is always checked: exactly the packages whose fingerprints differ are selected. */
  readonly law?: true;
  /** Default: `list --base main`. */
  readonly args?: readonly string[];
  /** The content of the tool's standard input. */
  readonly stdin?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** The tool's working directory, relative to the case's folder. Default: `repo`. */
  readonly cwd?: string;
  /** Names, or `&group`. The answer must contain all of them. */
  readonly must?: readonly string[];
  /** Names that the answer may contain too; any other name is over-selection. */
  readonly may?: readonly string[];
  /** Why the answer depends on a setting, if it does. The assertion is about the defaults. */
  readonly policy?: string;
  readonly exitCode?: number;
  /**
   * The whole of stderr. `{dir}` means the case's folder, and `{commit}` the id of a commit that the case did not name.
   */
  readonly stderr?: string;
}

/** The fixture workspace in short form. */
interface WorkspaceSpec {
  readonly root: object;
  /** By name: the folder, and the unusual fields of its package.json. */
  readonly packages: Readonly<Record<string, readonly [string, object]>>;
  /** Files in addition to those of every package. */
  readonly files: Readonly<Record<string, unknown>>;
  /** Yarn commands that turn the first lockfile into the one that the recipes need. */
  readonly yarn: readonly (readonly string[])[];
  /** Names for sets of packages. */
  readonly groups: Readonly<Record<string, readonly string[]>>;
}

/** The folder of the recipes. */
export const casesFolder = new URL("../../fixtures/cases/", import.meta.url);

function readJson(path: string): unknown {
  return JSON.parse(readFileSync(new URL(path, casesFolder), "utf8"));
}

/** The fixture workspace of the cases. */
export const workspace = readJson("workspace.json") as WorkspaceSpec;

/** Returns a file's text: strings as they are, other values as JSON. */
function text(content: unknown): string {
  return typeof content === "string"
    ? content
    : `${JSON.stringify(content, null, 2)}\n`;
}

/** Returns all files of the fixture workspace except yarn.lock. `{symlink}` is a symbolic link. */
export function workspaceFiles(): Record<string, string | { symlink: string }> {
  const files: Record<string, string | { symlink: string }> = {
    "package.json": text(workspace.root),
  };
  for (const [name, [dir, extra]] of Object.entries(workspace.packages)) {
    const up = dir.replace(/[^/]+/g, "..");
    const manifest = {
      name,
      version: "1.0.0",
      private: true,
      main: "src/index.ts",
      scripts: { build: "node -e 0", test: "node -e 0" },
      ...extra,
    };
    files[`${dir}/package.json`] = text(manifest);
    files[`${dir}/tsconfig.json`] = text({
      extends: `${up}/tsconfig.json`,
      include: ["src"],
    });
    files[`${dir}/src/index.ts`] = `export * from "./part.js";\n`;
    files[`${dir}/src/part.ts`] = `export const part = "${name}";\n`;
  }
  for (const [path, content] of Object.entries(workspace.files)) {
    files[path] =
      typeof content === "object" && content !== null && "symlink" in content
        ? (content as { symlink: string })
        : text(content);
  }
  return files;
}

/** Reads the recipes by kind. Each kind has one file. */
export function readCases(): readonly (readonly [
  kind: string,
  readonly Case[],
])[] {
  return readdirSync(casesFolder)
    .filter((file) => file.endsWith(".json") && file !== "workspace.json")
    .toSorted()
    .map((file) => [file.slice(0, -5), readJson(file) as readonly Case[]]);
}

/** Expands the groups in a list of names. */
export function expandNames(names: readonly string[]): string[] {
  return names.flatMap((name) => {
    if (name === "&all") return Object.keys(workspace.packages);
    if (!name.startsWith("&")) return [name];
    const group = workspace.groups[name.slice(1)];
    if (!group) throw new Error(`there is no group ${name}`);
    return [...group];
  });
}
