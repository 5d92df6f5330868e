import { printable } from "@skein/reporting";
import type { YardstickName } from "./comparison.js";

/** Packages as another tool names them. */
export type PeerPackages =
  | { readonly kind: "folders"; readonly folders: readonly string[] }
  | { readonly kind: "names"; readonly names: readonly string[] };

/** The base and head to ask the other tool about, as full commit ids. */
export interface PeerQuestion {
  readonly base: string;
  readonly head: string;
}

/** How to ask another tool which packages a change affects, and how to read its answer. */
export interface Peer {
  /** The name of its program in `node_modules/.bin`. */
  readonly name: Exclude<YardstickName, "manifests">;
  /** The tool's name for people. */
  readonly title: string;
  args(question: PeerQuestion): readonly string[];
  /** @param scratch a folder that the program may write to, absolute */
  env(
    question: PeerQuestion,
    scratch: string,
  ): Readonly<Record<string, string>>;
  /** The names of its settings file: without one of these it doesn't start. Empty if it needs none. */
  readonly settings: readonly string[];
  /** The content that we write to the first of `settings` if a commit has none of them. */
  readonly stand: string;
  /** Whether it looks for its own program in `node_modules` of its working directory. */
  readonly needsModules: boolean;
  /** Reads the program's stdout. @returns undefined if stdout doesn't have the expected form */
  read(stdout: string): PeerPackages | undefined;
}

/**
 * Turborepo (https://turborepo.com/docs/reference/ls). It prints
 * `{"packageManager": …, "packages": {"count": 1, "items": [{"name": "a", "path": "packages/a"}]}}`.
 */
const turbo: Peer = {
  name: "turbo",
  title: "Turborepo",
  args: () => ["ls", "--affected", "--output=json"],
  env: ({ base, head }) => ({
    TURBO_SCM_BASE: base,
    TURBO_SCM_HEAD: head,
    TURBO_TELEMETRY_DISABLED: "1",
    // Otherwise it doesn't start without a "packageManager" in package.json.
    TURBO_DANGEROUSLY_DISABLE_PACKAGE_MANAGER_CHECK: "true",
  }),
  settings: ["turbo.json", "turbo.jsonc"],
  stand: '{"tasks":{}}\n',
  needsModules: false,
  read(stdout) {
    const items = field(field(parseFrom(stdout, "{"), "packages"), "items");
    if (!Array.isArray(items)) return undefined;
    const folders: string[] = [];
    for (const item of items as readonly unknown[]) {
      const [name, path] = [field(item, "name"), field(item, "path")];
      if (typeof path !== "string") return undefined;
      // This is the root's name in Turborepo.
      if (name !== "//") folders.push(path.replaceAll("\\", "/"));
    }
    return { kind: "folders", folders };
  },
};

/** Nx (https://nx.dev/nx-api/nx/documents/show). It prints the names of projects: `["a","b"]`. */
const nx: Peer = {
  name: "nx",
  title: "Nx",
  args: ({ base, head }) => [
    "show",
    "projects",
    "--affected",
    `--base=${base}`,
    `--head=${head}`,
    "--json",
  ],
  env: (_, scratch) => ({
    NX_DAEMON: "false",
    NX_NO_CLOUD: "true",
    NX_CACHE_DIRECTORY: `${scratch}/nx-cache`,
    NX_WORKSPACE_DATA_DIRECTORY: `${scratch}/nx-data`,
  }),
  settings: ["nx.json"],
  stand: "{}\n",
  needsModules: true,
  read(stdout) {
    const names = parseFrom(stdout, "[");
    return Array.isArray(names) &&
      names.every((name): name is string => typeof name === "string")
      ? { kind: "names", names }
      : undefined;
  },
};

/** All supported tools, by name. */
export const peers: Readonly<Record<Peer["name"], Peer>> = { turbo, nx };

/** Parses JSON from the first line that begins with this letter, because some versions print a banner before it. */
function parseFrom(stdout: string, first: "{" | "["): unknown {
  const at = stdout.startsWith(first) ? 0 : stdout.indexOf(`\n${first}`);
  if (at < 0) return undefined;
  try {
    return JSON.parse(stdout.slice(at));
  } catch {
    return undefined;
  }
}

function field(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null && name in value
    ? (value as Readonly<Record<string, unknown>>)[name]
    : undefined;
}

/** A package of the project, with the names that a peer may use for it. */
export interface KnownPackage {
  readonly name: string;
  readonly dir: string;
  /** Other names that the peer may use. */
  readonly aliases: readonly string[];
}

/** A peer's packages under the project's own names. `unmatched` lists those that match no package of the project. */
export interface Matched {
  /** Sorted by name, without the root. */
  readonly packages: readonly string[];
  readonly unmatched: readonly string[];
}

/** Finds the project's packages in a peer's answer. */
export function matchPackages(
  answer: PeerPackages,
  known: readonly KnownPackage[],
): Matched {
  const index = new Map<string, KnownPackage>();
  for (const each of known) {
    const keys =
      answer.kind === "folders" ? [each.dir] : [...each.aliases, each.name];
    for (const key of keys) index.set(key, each);
  }
  const packages = new Set<string>();
  const unmatched: string[] = [];
  const words = answer.kind === "folders" ? answer.folders : answer.names;
  for (const word of words) {
    const found = index.get(word === "" ? "." : word);
    if (!found) unmatched.push(word);
    else if (found.dir !== ".") packages.add(found.name);
  }
  return { packages: [...packages].toSorted(), unmatched };
}

/** The end of a peer's program: exit code and output. */
export interface PeerEnd {
  readonly exitCode: number | undefined;
  readonly stdout: string;
  readonly stderr: string;
}

/** Returns why a peer's answer can't be used, as one sentence that quotes the first lines of its output. */
export function peerFailure(
  { name }: Peer,
  { exitCode, stdout, stderr }: PeerEnd,
): string {
  const output = [stderr, stdout]
    .flatMap((text) => text.split("\n"))
    .map((line) => line.trim())
    .filter((line) => line !== "")
    .slice(0, LINES)
    .join(" | ")
    .slice(0, LETTERS);
  const how =
    exitCode === 0
      ? "printed something other than its list"
      : exitCode === undefined
        ? "was ended"
        : `ended with exit code ${exitCode}`;
  return `${name} ${how}${output === "" ? "" : `: ${printable(output)}`}`;
}

/** The first lines of a failing program's output have the cause; a stack of a hundred lines may follow. */
const LINES = 4;
const LETTERS = 300;
