import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Failure, printable } from "@skein/reporting";
import type { Lockfile } from "@skein/workspaces";
import { fieldsOf, textOf } from "../steps/clean-up/manifest/package-files.js";
import type { Draft } from "../tree/draft.js";
import {
  chooseGrafts,
  chooseMoreGrafts,
  graftLock,
  parseLock,
  type Graft,
} from "./graft-lock.js";
import { neededToInstall } from "./needed-files.js";
import type { OwnLock } from "./own-lock/own-lock.js";
import { openYarn, type RunYarn } from "./yarn.js";

/** The result of an install in a temporary checkout. */
export type Installed =
  | {
      readonly kind: "installed";
      readonly text: string;
      readonly before: Lockfile;
      readonly after: Lockfile;
      /** Descriptors whose versions came from the package's own lockfile. */
      readonly grafted: number;
      /** Versions of the own lockfile that the registry doesn't have (`name@version`); Yarn resolved them again. */
      readonly unavailable: readonly string[];
      readonly constraints: Constraints | "later";
      /** Yarn's own files that the project commits, with their new content. */
      readonly files: ReadonlyMap<string, Buffer>;
    }
  | { readonly kind: "no-yarn" }
  | { readonly kind: "failed"; readonly output: string };

export type Constraints = "none" | "kept" | { readonly broken: string };

export interface InstallRequest {
  readonly draft: Draft;
  readonly scratch: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly own: OwnLock | undefined;
  /** Whether to link and to check the constraints, in addition to updating yarn.lock. */
  readonly link: boolean;
  /** Manifests that Yarn may rewrite in its own format, as any later `yarn install` would. */
  readonly manifests: readonly string[];
}

/** The install mode that downloads and links, but runs no lifecycle script. */
export const LINK = "--mode=skip-build";

/**
 * The most rounds of grafting. If the own lockfile has no ranges, each round reaches one level of dependencies deeper.
 */
const MOST_ROUNDS = 8;

/**
 * Files that a project commits with yarn.lock so that clones need no install (yarnpkg.com/features/caching,
 * "Zero-installs").
 */
const COMMITTED = [".pnp.cjs", ".pnp.loader.mjs", ".pnp.data.json"];

/**
 * Installs the project in a temporary checkout, with the package's resolutions grafted into yarn.lock. Lifecycle
 * scripts don't run.
 */
export async function install(request: InstallRequest): Promise<Installed> {
  const { draft, scratch, env, own } = request;
  await using checkout = await checkOutForYarn(draft, scratch, env);
  const { dir, yarn } = checkout;
  if (!yarn) return { kind: "no-yarn" };
  const lockPath = join(dir, "yarn.lock");
  const old = (await textOf(draft, "yarn.lock")) ?? "";
  // Zero-install projects commit the files that linking creates.
  const link = request.link || (await commitsLinks(draft));
  const resolved = await resolve(yarn, lockPath, old, own, !own && link);
  if (resolved.kind === "failed") return resolved;
  if (own && link) {
    const linked = await yarn(["install", LINK, "--immutable"]);
    if (!linked.ok) return { kind: "failed", output: linked.output };
  }
  const text = await readFile(lockPath, "utf8");
  return {
    kind: "installed",
    text,
    before: parseLock(old),
    after: parseLock(text),
    grafted: resolved.grafted,
    unavailable: resolved.unavailable,
    constraints: request.link ? await checkout.constraints() : "later",
    files: new Map([
      ...(await committedFiles(draft, dir)),
      ...(await read(dir, request.manifests)),
    ]),
  };
}

/** A temporary checkout of the files that Yarn needs. Disposal removes it. */
export interface YarnCheckout extends AsyncDisposable {
  readonly dir: string;
  /** Undefined if the machine has no Yarn of version 2 or newer. */
  readonly yarn: RunYarn | undefined;
  /** Runs `yarn constraints` if the project has any. */
  constraints(): Promise<Constraints>;
}

/** Checks a draft out for Yarn. */
export async function checkOutForYarn(
  draft: Draft,
  scratch: string,
  env: InstallRequest["env"],
): Promise<YarnCheckout> {
  const dir = join(scratch, "checkout");
  const remove = () => rm(dir, { recursive: true, force: true, maxRetries: 3 });
  await remove();
  await mkdir(dir);
  try {
    const needed = await neededToInstall(draft);
    await draft.checkOut(dir, needed);
    const { packageManager } = (await fieldsOf(draft, "")) ?? {};
    const yarn = await openYarn(dir, env, {
      rc: (await textOf(draft, ".yarnrc.yml")) ?? "",
      packageManager:
        typeof packageManager === "string" ? packageManager : undefined,
    });
    return {
      dir,
      yarn,
      async constraints() {
        const places = ["yarn.config.cjs", "constraints.pro"];
        const has = await Promise.all(places.map((path) => draft.stat(path)));
        if (!yarn || has.every((file) => file === undefined)) return "none";
        // Constraints are a program that may read any file.
        if (needed) await draft.checkOut(dir, (path) => !needed(path));
        const { ok, output } = await yarn(["constraints"]);
        return ok ? "kept" : { broken: output };
      },
      [Symbol.asyncDispose]: remove,
    };
  } catch (error) {
    await remove();
    throw error;
  }
}

async function resolve(
  yarn: RunYarn,
  lockPath: string,
  old: string,
  own: OwnLock | undefined,
  link: boolean,
): Promise<
  | {
      readonly kind: "resolved";
      readonly grafted: number;
      readonly unavailable: readonly string[];
    }
  | { readonly kind: "failed"; readonly output: string }
> {
  const before = parseLock(old);
  const unavailable = new Set<string>();
  const isThere = ({ ident, version }: Graft) =>
    !unavailable.has(`${ident}@${version}`);
  let base = old;
  let grafts = own ? chooseGrafts(own, before) : [];
  await writeFile(lockPath, graftLock(base, grafts));
  let grafted = 0;
  for (let round = 0; round < MOST_ROUNDS; round++) {
    // If there is nothing to graft, one run does everything.
    const { ok, output } = await yarn([
      "install",
      "--refresh-lockfile",
      link ? LINK : "--mode=update-lockfile",
    ]);
    if (!ok) {
      const gone = grafts.filter(({ ident, version }) =>
        unknownVersions(output).has(`${ident}@${version}`),
      );
      if (gone.length === 0) return { kind: "failed", output };
      for (const { ident, version } of gone)
        unavailable.add(`${ident}@${version}`);
      grafts = grafts.filter(isThere);
      await writeFile(lockPath, graftLock(base, grafts));
      // Each of these attempts has one version less; they don't count as rounds.
      round -= 1;
      continue;
    }
    const text = await readFile(lockPath, "utf8");
    const after = parseLock(text);
    const kept = new Set(after.entries.flatMap((entry) => entry.descriptors));
    grafted += grafts.filter(({ ident, range }) =>
      kept.has(`${ident}@npm:${range}`),
    ).length;
    grafts = own ? chooseMoreGrafts(own, before, after).filter(isThere) : [];
    if (grafts.length === 0) break;
    base = text;
    await writeFile(lockPath, graftLock(base, grafts));
  }
  return { kind: "resolved", grafted, unavailable: [...unavailable] };
}

/** Returns versions that were unpublished since, or that this registry doesn't mirror. */
function unknownVersions(output: string): ReadonlySet<string> {
  return new Set(
    [
      ...output.matchAll(
        /(\S+)@npm:(\S+?): Registry failed to return reference/g,
      ),
    ].map(([, ident = "", version = ""]) => `${ident}@${version}`),
  );
}

async function commitsLinks(draft: Draft): Promise<boolean> {
  const found = await Promise.all(COMMITTED.map((path) => draft.stat(path)));
  return (
    found.some((file) => file !== undefined) ||
    (await draft.list(".yarn/cache")).length > 0
  );
}

async function committedFiles(
  draft: Draft,
  dir: string,
): Promise<ReadonlyMap<string, Buffer>> {
  const files = new Map<string, Buffer>();
  for (const path of COMMITTED) {
    if (await draft.stat(path))
      files.set(path, await readFile(join(dir, path)));
  }
  const cached = await draft.list(".yarn/cache");
  if (cached.length > 0) {
    for (const name of await readdir(join(dir, ".yarn/cache")))
      files.set(
        `.yarn/cache/${name}`,
        await readFile(join(dir, ".yarn/cache", name)),
      );
  }
  return files;
}

async function read(
  dir: string,
  paths: readonly string[],
): Promise<readonly (readonly [string, Buffer])[]> {
  return Promise.all(
    paths.map(async (path) => [path, await readFile(join(dir, path))] as const),
  );
}

/** Returns Yarn's errors, or its last lines if there are none. */
export function messageIn(output: string): string {
  const lines = output
    .split("\n")
    .map((line) => printable(line).replace(/^➤ (YN\d+): [│┌└·]\s*/, "$1 "))
    .filter((line) => line.trim() !== "");
  const errors = lines.filter(
    (line) => /YN0*[1-9]\d*|Error/.test(line) && !line.includes("YN0000"),
  );
  return (errors.length > 0 ? errors : lines).slice(-5).join(" | ");
}

/** Returns a failure that explains why Yarn failed, with a hint. */
export function explainInstall(output: string): Failure {
  return new Failure(
    `Yarn cannot install the workspace with the package in it: ${messageIn(output)}`,
    {
      hint: "nothing was merged; fix that and start again, or update yarn.lock later with `yarn install`: --no-install",
    },
  );
}
