import { readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { ciOf, type Ci } from "@skein/ci";
import {
  Memory,
  Remote,
  Store,
  identityOfCi,
  identityOfRemote,
  remoteSettings,
  parseBytes,
  scopeOf,
  sharedCacheDir,
} from "@skein/result-cache";
import type { Scope, Wanted } from "@skein/result-cache";
import type { Repository } from "@skein/git";
import { usageFailure } from "@skein/reporting";
import type { Unit, UnitId, UnitPlan } from "@skein/runner";
import { scriptCache } from "@skein/workspaces";
import { cacheDirOf } from "../cache-dir.js";
import { diskFiles } from "../files/files.js";
import { lookAtTree, type TreeLook } from "../fingerprints/look.js";
import { surveyTree } from "../fingerprints/open-tree.js";
import { isInstallStale } from "./install-state.js";
import { memoryWords } from "../render/cache-words.js";
import { touchedConcerns } from "./touched.js";
import { hashUnits } from "./unit-hashes.js";
import type { LocalSurvey } from "../survey.js";
import type { AffectedWorld } from "../world.js";

/** The default limit of the store in bytes, without `SKEIN_CACHE_SIZE`. */
const BOUND = 5 * 2 ** 30;

const STALE_INSTALL =
  "the installed packages do not match yarn.lock: run `yarn install`";

/** The project whose scripts run. */
export type RunProject = Pick<LocalSurvey, "root" | "repository" | "settings">;

export interface RunCacheRequest {
  readonly plan: UnitPlan;
  readonly mode: "on" | "force";
  /** The file system's time before the survey began (`fileClock`). */
  readonly begin: number;
  /** The working tree, if it was read before. */
  readonly look?: TreeLook | undefined;
  /** The places of results, if they are open already. */
  readonly place?: CachePlace | undefined;
}

/** The cache of results during one run. */
export interface RunCache {
  readonly memory: Memory;
  /**
   * Caches the results of units that passed, and reports on stderr those that it can't cache.
   * @param interrupted whether a user waits for the end; then results that were not verified yet aren't cached
   */
  finish(interrupted: boolean): Promise<void>;
}

/** The places where a run finds and stores results. */
export interface CachePlace {
  readonly store: Store;
  readonly scope: Scope;
  readonly remote: Remote | undefined;
  /** Why no server is used although one was named. */
  readonly problem: string | undefined;
}

/** Opens the places of results; undefined if nothing can be kept here. */
export async function openCachePlace(
  world: AffectedWorld,
  repository: Repository,
): Promise<CachePlace | undefined> {
  const { env, now } = world;
  const store = boundOf(env) === 0 ? undefined : openStore(world);
  if (!store) return undefined;
  const ci = ciOf(env);
  const server = remoteSettings(env);
  const scope = scopeOf({
    // On a single machine, nothing writes attestations of the default branch.
    repository:
      server === undefined && ci.engine === undefined
        ? undefined
        : await identityOf(world, repository, ci),
    ci,
    head: repository.head,
    githubDefaultBranch: defaultBranchIn(ci),
  });
  return {
    ...{ store, scope },
    remote:
      typeof server === "object"
        ? new Remote({ settings: server, store, scope, now })
        : undefined,
    problem: typeof server === "string" ? server : undefined,
  };
}

/**
 * Opens the cache for a run.
 * @returns undefined if no unit of the plan may be cached, or if the cache isn't usable here
 */
export async function openRunCache(
  world: AffectedWorld,
  facts: RunProject,
  { plan, mode, begin, look, place: opened }: RunCacheRequest,
): Promise<RunCache | undefined> {
  const { settings, repository, root } = facts;
  const units = plan.units.filter(
    ({ command, script }) =>
      command !== undefined && scriptCache(settings.cache, script) !== false,
  );
  if (units.length === 0) return undefined;
  const place = opened ?? (await openCachePlace(world, repository));
  if (!place) return undefined;
  const { store, scope, remote } = place;
  const before = await hashUnits(
    world,
    look ?? (await lookAtTree(world, undefined, remote)),
    plan,
  );
  const memory = new Memory({
    ...{ store, scope, root, commit: repository.head },
    ...{ env: world.env, now: world.now },
    wanted: wantedOf(units, before, facts),
    sources: () => diskFiles(root, () => Promise.resolve(repository)).list(),
    stage: join(
      resolve(world.cwd, cacheDirOf(world.env, repository)),
      "restore",
    ),
    force: mode === "force",
    unique: world.token,
    verify: (passed) =>
      findRefused(world, facts, passed, { plan, before, begin }),
  });
  const missing = memory.missing();
  if (remote && missing.length > 0) {
    await remote.fill(missing);
    memory.look();
  }
  return {
    memory,
    async finish(interrupted) {
      const report = await memory.finish(interrupted);
      if (!interrupted) await remote?.send(report.kept);
      store.pruneSometimes(boundOf(world.env));
      const unknown = units.filter(({ id }) => !before.has(id));
      const problem = place.problem ?? remote?.failure;
      world.stderr.write(
        memoryWords(
          report,
          unknown.map(({ id }) => id),
          problem,
        ),
      );
    },
  };
}

/** The state of the tree when the run began. */
interface BeforeRun {
  readonly plan: UnitPlan;
  readonly before: Awaited<ReturnType<typeof hashUnits>>;
  readonly begin: RunCacheRequest["begin"];
}

/** Finds the units that passed but can't be cached, because a file changed during the run, each with the reason. */
async function findRefused(
  world: AffectedWorld,
  facts: RunProject,
  passed: readonly Unit[],
  { plan, before, begin }: BeforeRun,
): Promise<ReadonlyMap<UnitId, string>> {
  if (isInstallStale(facts.root))
    return new Map(passed.map(({ id }) => [id, STALE_INSTALL] as const));
  // Git's answers from the start no longer match the files.
  const now = { ...world, early: undefined };
  const after = await hashUnits(now, await lookAtTree(now, undefined), plan);
  const touched = await touchedConcerns(facts, passed, {
    since: begin,
    treeNow: () => surveyTree(now, undefined),
  });
  return new Map(
    passed.flatMap(({ id }) => {
      const file = touched.get(id);
      const why =
        before.get(id) !== after.get(id)
          ? "its inputs changed while it ran"
          : file === undefined
            ? undefined
            : `${file} was written while it ran`;
      return why === undefined ? [] : [[id, why] as const];
    }),
  );
}

/** Opens the store of results; undefined if there is no folder for it. */
export function openStore({
  env,
  cwd,
  now,
  token,
}: Pick<AffectedWorld, "env" | "cwd" | "now" | "token">): Store | undefined {
  const { HOME: home = homedir(), SKEIN_CACHE_SIGNATURE_KEY: key = "" } = env;
  const dir = sharedCacheDir(env, home);
  return dir === undefined
    ? undefined
    : new Store({
        dir: resolve(cwd, dir),
        key: key === "" ? undefined : key,
        now,
        unique: token,
      });
}

/** Returns the limit of the store in bytes. @throws Failure (usage) if `SKEIN_CACHE_SIZE` isn't a size */
export function boundOf({
  SKEIN_CACHE_SIZE: value = "",
}: AffectedWorld["env"]): number {
  if (value === "") return BOUND;
  const bytes = parseBytes(value);
  if (bytes === undefined)
    throw usageFailure(
      `SKEIN_CACHE_SIZE isn't a size: ${JSON.stringify(value)}`,
      {
        hint: "write it as 5GiB",
      },
    );
  return bytes;
}

function wantedOf(
  units: readonly Unit[],
  hashes: ReadonlyMap<UnitId, string>,
  { settings }: RunProject,
): Map<UnitId, Wanted> {
  return new Map(
    units.flatMap(({ id, script }) => {
      const fingerprint = hashes.get(id);
      const rule = scriptCache(settings.cache, script);
      if (fingerprint === undefined || rule === false) return [];
      return [[id, { unit: id, fingerprint, ...rule }] as const];
    }),
  );
}

/** Returns the identity of the repository: from the user, or else from the CI engine, or else from the remote `origin`. */
async function identityOf(
  { env }: AffectedWorld,
  { git }: Repository,
  ci: Ci,
): Promise<string | undefined> {
  const { SKEIN_CACHE_REPOSITORY: value = "" } = env;
  if (value !== "") return value;
  if (ci.isCi) return identityOfCi(ci);
  const { stdout } = await git.run(["config", "--get", "remote.origin.url"], {
    answers: [0, 1],
  });
  return identityOfRemote(stdout.toString("utf8").trim());
}

/** Returns the default branch in the event of GitHub Actions; undefined elsewhere. */
function defaultBranchIn({ event }: Ci): string | undefined {
  if (event.kind !== "file") return undefined;
  try {
    const { repository } = JSON.parse(readFileSync(event.path, "utf8")) as {
      readonly repository?: { readonly default_branch?: unknown };
    };
    const name = repository?.default_branch;
    return typeof name === "string" ? name : undefined;
  } catch {
    return undefined;
  }
}
