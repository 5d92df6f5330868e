import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { openGitHub } from "@skein/github";
import { buildHistory, gitIn, startFakeGitHub, tempDir } from "@skein/testing";
import type { FakeGitHub, FakeRepository } from "@skein/testing";
import { parseCli } from "../cli.js";
import { dispatchIn, type Ended } from "../cli.test.kit.js";
import type { Verdict } from "../verdict.js";
import type { DispatchWorld } from "../world.js";
import { publish } from "./publish.js";

/** The golden verdict and its inputs. */
export const fixtures = fileURLToPath(
  new URL("../../fixtures/verdict/", import.meta.url),
);

/** The options of publishing a verdict. */
export interface PublishSpec {
  readonly verdict?: string;
  /** GitHub's event. Default: that of a pull request. */
  readonly event?: unknown;
  readonly token?: string;
  /** Additional arguments on the command line. */
  readonly args?: readonly string[];
}

/** A repository with a branch `topic`, and the environment of its workflow. */
export interface PublishRig extends AsyncDisposable {
  readonly temp: string;
  /** The commit of `topic`. */
  readonly head: string;
  /** Returns the event of pull request 7. */
  pullEvent(from: string): unknown;
  /** Adds the repository and its pull request to a server. */
  setUp(github: FakeGitHub, headRepository?: string): FakeRepository;
  /** Publishes as a job would. */
  publish(url: string, spec?: PublishSpec): Promise<Ended>;
  /**
   * Writes the golden verdict with changes.
   * @returns its path
   */
  verdict(name: string, change: (verdict: Verdict) => unknown): Promise<string>;
}

/** Starts a GitHub with a token that has only the necessary permissions. */
export const start = () =>
  startFakeGitHub({
    tokens: {
      writer: [
        "metadata",
        "issues",
        "issues=write",
        "checks=write",
        "pull_requests",
        "actions",
      ],
    },
  });

/** Returns the bodies of all comments. */
export const bodies = ({ comments }: FakeRepository) =>
  comments.map(({ body }) => body);

/** Returns the golden verdict as if everything had passed. */
export const greened = (verdict: Verdict): Verdict => ({
  ...verdict,
  colour: "green",
  exitCode: 0,
  counts: {
    passed: verdict.units.length,
    flaky: 0,
    recovered: 0,
    failed: 0,
    missing: 0,
  },
  units: verdict.units.map((unit) => ({
    ...unit,
    state: "passed",
    failure: null,
    failedTests: [],
  })),
});

/** Creates the repository. */
export async function publishRig(): Promise<PublishRig> {
  const made = await tempDir();
  const temp = made.path;
  await mkdir(join(temp, "repo"));
  buildHistory(join(temp, "repo"), [
    { files: { "a.txt": "1\n" } },
    { branch: "topic", from: "main", files: { "a.txt": "2\n" } },
  ]);
  const head = gitIn(join(temp, "repo"), "rev-parse", "topic").trim();
  const golden = join(fixtures, "verdict-v1.json");
  const pullEvent = (from: string) => ({
    pull_request: { number: 7, head: { sha: head, repo: { full_name: from } } },
  });
  return {
    temp,
    head,
    pullEvent,
    setUp(github, headRepository = "octo/app") {
      const repository = github.addRepository("octo/app", {
        dir: join(temp, "repo"),
      });
      if (headRepository !== "octo/app")
        github.addRepository(headRepository, {
          dir: join(temp, "repo"),
          fork: true,
        });
      github.addPull(repository, {
        number: 7,
        base: "main",
        head: "topic",
        headRepository,
      });
      return repository;
    },
    async publish(
      url,
      {
        verdict = golden,
        event = pullEvent("octo/app"),
        token = "writer",
        args = [],
      } = {},
    ) {
      const file = join(temp, "event.json");
      await writeFile(file, JSON.stringify(event));
      const env = {
        GITHUB_API_URL: url,
        GITHUB_REPOSITORY: "octo/app",
        GITHUB_RUN_ID: "4711",
        GITHUB_EVENT_PATH: file,
        GITHUB_TOKEN: token,
      };
      const argv = ["publish", `--verdict=${verdict}`, ...args];
      return dispatchIn(temp, argv, env, {}, publishAtOnce);
    },
    async verdict(name, change) {
      const file = join(temp, name);
      const read = JSON.parse(await readFile(golden, "utf8")) as Verdict;
      await writeFile(file, JSON.stringify(change(read)));
      return file;
    },
    [Symbol.asyncDispose]: () => made[Symbol.asyncDispose](),
  };
}

/** Runs the command with a GitHub whose seconds are short: writes are otherwise up to three seconds apart. */
async function publishAtOnce(world: DispatchWorld): Promise<number> {
  const command = parseCli(world);
  if (typeof command === "number") return command;
  if (command.kind !== "publish") throw new Error(command.kind);
  return publish(world, command, (options) =>
    openGitHub({ ...options, second: 1 }),
  );
}
