import { readdirSync, readFileSync } from "node:fs";

/** One thing that is done to a copy of the fixture repository; paths are from its top. `{x*9}` in a path is nine x. */
export type Step =
  | { readonly write: string; readonly text: string }
  | { readonly append: string; readonly text: string }
  | { readonly replace: string; readonly was: string; readonly is: string }
  /** Merges into a JSON file; null takes a member away (RFC 7396). */
  | { readonly merge: string; readonly with: unknown }
  | { readonly symlink: string; readonly to: string }
  | { readonly delete: string }
  | { readonly move: string; readonly to: string }
  /** Puts locks/NAME.lock in place: what Yarn made of the steps before it (after `yarn …`, where that is given). */
  | { readonly lock: string; readonly yarn?: readonly string[] }
  /** Runs git; `{dir}` is the case's folder, which holds `repo`. `in` is a folder in it. */
  | { readonly git: readonly string[]; readonly in?: string }
  /** Commits everything. */
  | { readonly commit: string };

/** A recipe and the right answer. */
export interface Case {
  readonly id: string;
  readonly title: string;
  /** Done and committed on main before the branch `change` is made. */
  readonly before?: readonly Step[];
  readonly steps: readonly Step[];
  /** What becomes of the steps' changes: committed (the default), or left as they are. */
  readonly leave?: true;
  /** Default: `list --base main`. */
  readonly args?: readonly string[];
  /** What is written to the tool's standard input. */
  readonly stdin?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Where the tool is started, from the case's folder. Default `repo`. */
  readonly cwd?: string;
  /** Names, or `&group`; none of them may be missing. */
  readonly must?: readonly string[];
  /** May be selected too; anything else is over-selection. */
  readonly may?: readonly string[];
  /** Why the answer is a setting, where it is one: the defaults' answer is asserted. */
  readonly policy?: string;
  readonly exitCode?: number;
  /** All of stderr; `{dir}` stands for the case's folder, `{commit}` for a commit's id that the case did not name. */
  readonly stderr?: string;
}

/** The fixture workspace, told in short. */
interface WorkspaceSpec {
  readonly root: object;
  /** name -> folder and what its package.json holds besides the usual. */
  readonly packages: Readonly<Record<string, readonly [string, object]>>;
  /** Files besides those that every package has. */
  readonly files: Readonly<Record<string, unknown>>;
  /** Yarn commands that bring the first lockfile to where the recipes want it. */
  readonly yarn: readonly (readonly string[])[];
  /** Names for sets of packages. */
  readonly groups: Readonly<Record<string, readonly string[]>>;
}

/** The folder of the recipes. */
export const casesFolder = new URL("../../fixtures/cases/", import.meta.url);

function readJson(path: string): unknown {
  return JSON.parse(readFileSync(new URL(path, casesFolder), "utf8"));
}

/** The fixture workspace. */
export const workspace = readJson("workspace.json") as WorkspaceSpec;

/** A file's text, as it was written down or as JSON. */
function text(content: unknown): string {
  return typeof content === "string"
    ? content
    : `${JSON.stringify(content, null, 2)}\n`;
}

/** Every file of the fixture workspace, yarn.lock aside; `{symlink}` is one. */
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

/** The recipes by kind: one file, one kind. */
export function readCases(): readonly (readonly [
  kind: string,
  readonly Case[],
])[] {
  return readdirSync(casesFolder)
    .filter((file) => file.endsWith(".json") && file !== "workspace.json")
    .toSorted()
    .map((file) => [file.slice(0, -5), readJson(file) as readonly Case[]]);
}

/** Names with their groups told out. */
export function expandNames(names: readonly string[]): string[] {
  return names.flatMap((name) => {
    if (name === "&all") return Object.keys(workspace.packages);
    if (!name.startsWith("&")) return [name];
    const group = workspace.groups[name.slice(1)];
    if (!group) throw new Error(`there is no group ${name}`);
    return [...group];
  });
}
