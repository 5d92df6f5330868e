import { symlink } from "node:fs/promises";
import { join } from "node:path";
import { json, tempDir, writeFiles, yarnTestEnv } from "@skein/testing";
import { planUnits } from "../order/plan-units.js";
import { runUnits } from "../run-units.js";
import type { UnitResult } from "../unit.js";
import { openYarnProject } from "../yarn/yarn-project.js";
import { SHARED, type Species } from "./zoo.test.data.js";

/** The parts of a result that are compared. */
export interface Seen {
  readonly status: string;
  readonly exitCode: number | undefined;
  readonly leftBehind: boolean;
  /** Without times, so that the outputs from a shared process and alone are comparable. */
  readonly output: string;
}

export interface ZooRun {
  readonly seen: ReadonlyMap<string, Seen>;
  /** The names of packages whose result comes from a shared process. */
  readonly batched: readonly string[];
  readonly durationMs: number;
  /** Why other packages reran alone. */
  readonly aloneReasons: ReadonlyMap<string, string>;
}

/** A workspace with a package of each species. */
export interface Zoo extends AsyncDisposable {
  run(options: {
    readonly batch: boolean;
    readonly concurrency: number;
  }): Promise<ZooRun>;
}

/** The time limit for a package that doesn't end by itself, in milliseconds. */
const HANGS_MS = 6_000;

/** Builds the workspace. @param modules the `node_modules` that contains Jest */
export async function openZoo(
  species: readonly Species[],
  modules: string,
): Promise<Zoo> {
  const dir = await tempDir();
  const root = dir.path;
  const workspaces = species.map(({ name, script = "jest --ci" }) => ({
    name,
    dir: `packages/${name}`,
    scripts: { test: script },
  }));
  await writeFiles(root, {
    "package.json": json({ name: "zoo", workspaces: ["packages/*"] }),
    ".yarnrc.yml": "nodeLinker: node-modules\n",
    "yarn.lock": "",
    ...SHARED,
    ...mergedFiles(species),
  });
  await symlink(modules, join(root, "node_modules"));
  const shares = new Set(
    species.filter(({ isBatched }) => isBatched).map(({ name }) => name),
  );
  const hanging = new Set(
    species.filter(({ hangs }) => hangs).map(({ name }) => name),
  );
  return {
    async run({ batch, concurrency }) {
      await using temp = await tempDir();
      const project = await openYarnProject({
        root,
        // The temporary folder is new, so Jest's cache is empty.
        env: { ...yarnTestEnv(), TMPDIR: temp.path },
        node: process,
      });
      const report = await runUnits(
        planUnits({ workspaces, edges: [], scripts: ["test"] }),
        {
          project,
          concurrency,
          batch,
          now: () => performance.now(),
          timeoutMs: ({ workspace }) =>
            hanging.has(workspace) ? HANGS_MS : undefined,
        },
      );
      const { results, durationMs } = report;
      const ran = results.flatMap((each) => ("via" in each ? [each] : []));
      return {
        seen: new Map(
          results.map((each) => {
            const { workspace } = each.unit;
            return [workspace, seen(each, shares.has(workspace))];
          }),
        ),
        batched: ran
          .filter(({ via }) => via === "batch")
          .map(({ unit }) => unit.workspace),
        durationMs,
        aloneReasons: new Map(
          ran.flatMap(({ unit, aloneReason }) =>
            aloneReason === undefined ? [] : [[unit.workspace, aloneReason]],
          ),
        ),
      };
    },
    [Symbol.asyncDispose]: () => dir[Symbol.asyncDispose](),
  };
}

/**
 * Makes a crowd of packages in a random order. Pairs stay together, because packages run in the order of their names.
 * @param seed the same seed results in the same order
 */
export function crowd(
  species: readonly Species[],
  packages: number,
  seed: number,
): readonly Species[] {
  let state = seed;
  const random = () => (state = (state * 48_271) % 2_147_483_647);
  const kinds = new Map<string, Species[]>();
  for (const each of species) {
    const kind = each.name.replace(/-[12]$/, "");
    kinds.set(kind, [...(kinds.get(kind) ?? []), each]);
  }
  const found: Species[] = [];
  while (found.length < packages)
    found.push(
      ...[...kinds.values()]
        .map((kind) => ({ kind, rank: random() }))
        .sort((a, b) => a.rank - b.rank)
        .flatMap(({ kind }) => kind),
    );
  return found.slice(0, packages).map((each, index) => ({
    ...each,
    name: `p${String(index).padStart(4, "0")}-${each.name}`,
  }));
}

/** Runs a zoo both ways. @returns the differences, one per line */
export async function compareZoo(
  species: readonly Species[],
  modules: string,
  concurrency: number,
): Promise<{
  readonly wrongs: readonly string[];
  readonly batched: number;
  readonly ms: { readonly batch: number; readonly alone: number };
}> {
  await using zoo = await openZoo(species, modules);
  const batch = await zoo.run({ batch: true, concurrency });
  const alone = await zoo.run({ batch: false, concurrency });
  const wrongs = species.flatMap(({ name, isBatched }) => {
    const [one, other] = [batch, alone].map(({ seen }) =>
      JSON.stringify(seen.get(name)),
    );
    if (one !== other) return [`${name}\n  batched ${one}\n  alone   ${other}`];
    // A passing package that runs twice isn't wrong, but batches exist to avoid that.
    return isBatched && !batch.batched.includes(name)
      ? [`${name} ran alone: ${batch.aloneReasons.get(name) ?? "at once"}`]
      : [];
  });
  return {
    wrongs,
    batched: batch.batched.length,
    ms: { batch: batch.durationMs, alone: alone.durationMs },
  };
}

function mergedFiles(species: readonly Species[]): Record<string, string> {
  return Object.fromEntries(species.flatMap(filesOf));
}

function filesOf(species: Species): readonly (readonly [string, string])[] {
  const { name, files, jest, script = "jest --ci" } = species;
  const manifest = {
    ...{ name, devDependencies: { jest: "*" }, scripts: { test: script } },
    ...(jest && { jest }),
  };
  const all = Object.entries({ ...files, "package.json": json(manifest) });
  return all.map(([path, text]) => [`packages/${name}/${path}`, text]);
}

function seen(result: UnitResult, isBatched: boolean): Seen {
  return {
    status: result.status,
    exitCode: "exitCode" in result ? result.exitCode : undefined,
    leftBehind: "leftBehind" in result && result.leftBehind,
    output:
      isBatched && "output" in result ? withoutTimes(result.output.text) : "",
  };
}

function withoutTimes(text: string): string {
  return text
    .replaceAll(/ ?\(?\d+(?:\.\d+)? m?s\)?(?:, estimated \d+ s)?/g, "")
    .replaceAll(/\(node:\d+\)/g, "(node)");
}
