import { mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "@jest/globals";
import { tempDir, writeFiles } from "@skein/testing";
import { startFakeGitHub } from "@skein/testing/fake-github";
import type { FakeGitHub, FakeRepository } from "@skein/testing";
import { skeinRoot } from "../packed.js";
import { runAct, type ActResult } from "./act.js";
import { planIdOf } from "./plan-id.js";
import { startPackageRegistry } from "./registry.js";
import { checkOut, makeShop, type Shop } from "./shop.js";

/** The plan's artifact. */
const PLAN = "ci-dispatch-plan/plan.json";

/** The shop, and the registry with the tools that its workflows install. */
export interface World extends AsyncDisposable {
  readonly folder: string;
  readonly shop: Shop;
  /** The registry's address. */
  readonly registry: string;
}

/** Packs the tools, and creates the shop. It takes minutes. */
export async function openWorld(): Promise<World> {
  const temp = await tempDir();
  const shop = await makeShop(temp.path);
  const registry = await startPackageRegistry(shop.tarballs);
  return {
    ...{ folder: temp.path, shop, registry: registry.url },
    async [Symbol.asyncDispose]() {
      await registry[Symbol.asyncDispose]();
      await temp[Symbol.asyncDispose]();
    },
  };
}

export interface Started {
  readonly result: ActResult;
  readonly artifact: (path: string) => Promise<string>;
}

/** Runs a workflow of the shop. @param name the run's own folder */
export async function startRun(
  { folder: top, shop, registry }: World,
  name: string,
  ref: string,
  github: FakeGitHub,
  run: {
    readonly workflow?: string;
    readonly event: string;
    readonly payload: Readonly<Record<string, unknown>>;
    readonly origin?: string;
    readonly artifacts?: string;
    readonly env?: Readonly<Record<string, string>>;
    readonly secrets?: Readonly<Record<string, string>>;
    readonly ref?: string;
  },
): Promise<Started> {
  const folder = join(top, name);
  await mkdir(folder);
  const workspace = join(folder, "shop");
  const { origin = shop.origin } = run;
  await checkOut(origin, ref, workspace);
  const artifacts = join(top, run.artifacts ?? `${name}-artifacts`);
  const result = await runAct({
    folder,
    workspace,
    origin,
    workflow: run.workflow ?? "ci.yml",
    event: run.event,
    payload: {
      repository: { full_name: "octo/shop", default_branch: "main" },
      ...run.payload,
    },
    artifacts,
    registry,
    env: { GITHUB_API_URL: github.url, ...run.env },
    ...(run.secrets && { secrets: run.secrets }),
    ...(run.ref !== undefined && { ref: run.ref }),
  });
  // If a test fails, the log shows why.
  await writeFiles(join(skeinRoot, "reports/e2e"), {
    [`${name}.log`]: result.log,
  });
  return {
    result,
    artifact: (path) => readFile(join(artifacts, path), "utf8"),
  };
}

export interface Hosted extends AsyncDisposable {
  readonly github: FakeGitHub;
  readonly repository: FakeRepository;
}

/** Starts a GitHub with the shop and its pull request. @param dir the shop's repository */
export async function openGitHub(from: string, dir: string): Promise<Hosted> {
  const github = await startFakeGitHub();
  const repository = github.addRepository("octo/shop", { dir });
  if (from !== "octo/shop") github.addRepository(from, { dir, fork: true });
  github.addPull(repository, {
    number: 7,
    base: "main",
    head: "change",
    headRepository: from,
  });
  return {
    github,
    repository,
    [Symbol.asyncDispose]: () => github[Symbol.asyncDispose](),
  };
}

interface PlanFile {
  readonly jobs: readonly {
    readonly units: readonly { readonly id: string }[];
  }[];
}

/**
 * Writes the plan of an earlier attempt in the form of its artifact: the plan of the first test, with only these units.
 * @returns its id
 */
export async function seedPlan(
  { folder, shop }: World,
  artifacts: string,
  units: readonly string[],
): Promise<string> {
  const earlier = join(folder, "pull-artifacts", PLAN);
  const plan = JSON.parse(await readFile(earlier, "utf8")) as PlanFile;
  const jobs = plan.jobs.filter((job) =>
    job.units.some(({ id }) => units.includes(id)),
  );
  expect(jobs).toHaveLength(units.length);
  const content = { ...plan, id: undefined, head: shop.base, jobs };
  const id = planIdOf(content);
  await writeFiles(join(folder, artifacts), {
    [PLAN]: JSON.stringify({ ...content, id }),
  });
  return id;
}
