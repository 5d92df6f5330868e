import { printable } from "@skein/reporting";

/** Packages as another tool names them. */
export type PeerPackages =
  | { readonly kind: "folders"; readonly folders: readonly string[] }
  | { readonly kind: "names"; readonly names: readonly string[] };

/** The two ends that the other tool is asked about; full ids of commits. */
export interface PeerQuestion {
  readonly base: string;
  readonly head: string;
}

/** How another tool is asked what a change affects, and how its answer is read. */
export interface Peer {
  /** Its program's name, as it stands in `node_modules/.bin`. */
  readonly name: "turbo" | "nx";
  /** What people call it. */
  readonly title: string;
  args(question: PeerQuestion): readonly string[];
  /** @param scratch a folder that the program may write to, absolute */
  env(
    question: PeerQuestion,
    scratch: string,
  ): Readonly<Record<string, string>>;
  /** The settings without which it does not start: one of these names. Empty where it needs none. */
  readonly settings: readonly string[];
  /** What the first of `settings` is given where a commit has none of them. */
  readonly stand: string;
  /** Whether it looks for its own program in `node_modules` of the folder it runs in. */
  readonly needsModules: boolean;
  /** Reads what it printed to stdout. @returns undefined where that is not what it prints */
  read(stdout: string): PeerPackages | undefined;
}

/**
 * Turborepo (https://turborepo.com/docs/reference/ls): prints
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
    // Without a "packageManager" in package.json it would refuse to start.
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
      // The root's name in Turborepo.
      if (name !== "//") folders.push(path.replaceAll("\\", "/"));
    }
    return { kind: "folders", folders };
  },
};

/** Nx (https://nx.dev/nx-api/nx/documents/show): prints the names of projects, `["a","b"]`. */
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

/** Every tool that can be asked, by its name. */
export const peers: Readonly<Record<Peer["name"], Peer>> = { turbo, nx };

/** Parses JSON from the first line that begins with this letter: some versions print a banner before it. */
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

/** A package of the project, as a peer may call it. */
export interface KnownPackage {
  readonly name: string;
  readonly dir: string;
  /** Other names that the peer may know it by. */
  readonly aliases: readonly string[];
}

/** A peer's packages under the project's own names; those that no package of the project fits are kept apart. */
export interface Matched {
  /** In order of name; the root left out. */
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

/** How a peer's program ended. */
export interface PeerEnd {
  readonly exitCode: number | undefined;
  readonly stdout: string;
  readonly stderr: string;
}

/** Why a peer's answer cannot be used, as one sentence; its own last words are quoted. */
export function peerFailure(
  { name }: Peer,
  { exitCode, stdout, stderr }: PeerEnd,
): string {
  const said = [stderr, stdout]
    .flatMap((text) => text.split("\n"))
    .map((line) => line.trim())
    .filter((line) => line !== "")
    .slice(0, LINES)
    .join(" | ")
    .slice(0, LETTERS);
  const how =
    exitCode === 0
      ? "printed something else than its list"
      : exitCode === undefined
        ? "was ended"
        : `ended with exit code ${exitCode}`;
  return `${name} ${how}${said === "" ? "" : `: ${printable(said)}`}`;
}

/** Of a failing program's words, the first tell why; a stack of a hundred lines follows. */
const LINES = 4;
const LETTERS = 300;
