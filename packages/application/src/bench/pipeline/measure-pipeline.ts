import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { startPackageRegistry } from "../../e2e/registry.js";
import { installAll } from "../install.js";
import { markdownTable } from "../report/markdown-table.js";
import { turborepo } from "../tools/turborepo.js";
import { carryOut, type Carried } from "./carry-out.js";
import { makeBenchWorkspace } from "./make-workspace.js";
import { modelOf, waysOf, type Steps } from "./model.js";
import { startSlowRegistry } from "./slow-registry.js";

export interface PipelineBench {
  readonly packages: number;
  readonly affected: number;
  readonly testMs: number;
  /** The time that an install of the slow package takes. */
  readonly installMs: number;
}

const WAYS = [
  ["ci.yml", "ci-dispatch"],
  ["turbo.yml", "one job, `turbo run test --affected`"],
  ["matrix.yml", "a matrix with a job for each package"],
] as const;

/**
 * Runs ci-dispatch's workflow and two that teams write by hand, with act on this machine. In one half of the runs, Yarn's
 * cache contains the slow package; in the other it doesn't.
 * @returns the table as Markdown, and the durations of ci-dispatch's steps with the cache
 */
export async function measurePipeline(
  folder: string,
  { packages, affected, testMs, installMs }: PipelineBench,
  log: (line: string) => void,
): Promise<{ readonly table: string; readonly ours: Carried }> {
  const [installed] = await installAll(folder, [turborepo], log);
  if (installed?.modules === undefined)
    throw new Error(`turbo is not there: ${installed?.problem ?? ""}`);
  await using slow = await startSlowRegistry(join(folder, "slow"), installMs);
  const workspace = await makeBenchWorkspace(join(folder, "site"), {
    ...{ packages, affected, testMs, slow: slow.name, registry: slow.url },
    turbo: join(installed.modules, ".bin/turbo"),
  });
  await using tools = await startPackageRegistry(workspace.tarballs);
  const archive = slow.name.replace("/", "-");
  const rows: string[][] = [];
  let ours: Carried | undefined;
  for (const [cache, forget] of [
    ["from cache", "true"],
    ["slow", `rm -f "$YARN_GLOBAL_FOLDER/cache/${archive}"-*`],
  ] as const)
    for (const [workflow, label] of WAYS) {
      log(`act: ${workflow}, install ${cache}`);
      const room = join(folder, `${workflow}-${cache.replace(" ", "-")}`);
      await mkdir(room);
      const carried = await carryOut(workspace, {
        ...{ folder: room, workflow, registry: tools.url, forget },
      });
      if (workflow === "ci.yml") ours ??= carried;
      rows.push([`${label}, install ${cache}`, ...cellsOf(carried)]);
    }
  if (!ours) throw new Error("ci-dispatch's workflow was not carried out");
  return { table: markdownTable([...HEADING], rows), ours };
}

const HEADING = [
  "",
  "to the first test",
  "to the verdict",
  "after the last test",
  "machines",
  "billed minutes",
  "installs",
] as const;

function cellsOf(of: Carried): string[] {
  return [
    ...[of.toFirstTest, of.toVerdict, of.after, of.machineSeconds].map((each) =>
      each.toFixed(1),
    ),
    String(of.billedMinutes),
    String(of.installs),
  ];
}

/**
 * Returns a table of the same ways by the model, with a runner's start and installs of real workspaces.
 * @param steps the durations in seconds: of ci-dispatch's own steps as measured here, and of GitHub's on its runners
 */
export function modelTable(
  steps: Steps,
  tests: readonly number[],
  legs: readonly number[],
): string {
  const rows = waysOf(steps, tests, legs)
    .map((way) => modelOf(way, steps))
    .map((each) => [
      each.label,
      ...[each.toFirstTest, each.toVerdict, each.after].map((s) =>
        s.toFixed(0),
      ),
      String(each.billedMinutes),
      each.machineMinutes.toFixed(1),
      String(each.installsOnPath),
    ]);
  return markdownTable(
    [
      ...["", "to the first test", "to the verdict", "after the last test"],
      ...["billed minutes", "of machines", "installs on the way"],
    ],
    rows,
  );
}
