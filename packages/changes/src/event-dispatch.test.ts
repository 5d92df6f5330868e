import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { gitIn } from "@skein/testing";
import { FEATURE, eventWorld, summary } from "./event-world.test.kit.js";
import type { EventSpec, EventWorld } from "./event-world.test.kit.js";

let it: EventWorld;
beforeAll(async () => {
  it = await eventWorld();
});
afterAll(async () => {
  await it[Symbol.asyncDispose]();
});

describe("workflow_dispatch", () => {
  const dispatch = (inputs: object | null, branch = "main"): EventSpec => ({
    name: "workflow_dispatch",
    ref: `refs/heads/${branch}`,
    sha: it.id(branch),
    payload: { inputs },
  });

  test.each([
    ["git", true],
    ["api", true],
    ["git", false],
  ])("with base and head, via %s", async (via, online) => {
    // With the whole history and without GitHub, the names must exist in the clone.
    const clone =
      via === "git" ? await it.checkout(it.id("main"), 0) : undefined;
    if (clone) {
      const refspec = "+refs/heads/*:refs/remotes/origin/*";
      gitIn(clone.git.cwd, "fetch", "-q", "origin", refspec);
    }
    const changeset = await it.read(
      dispatch({ base: "main", head: "feature" }),
      {
        clone,
        ...(!online && { github: undefined }),
      },
    );
    expect(summary(changeset)).toEqual([
      `base main ${it.id("main~1")}`,
      `head feature ${it.id("feature")}`,
      `workflow_dispatch via ${via}`,
      ...FEATURE,
    ]);
  });

  test("without a base, the comparison starts at the default branch; on it, everything is selected", async () => {
    expect(summary(await it.read(dispatch(null, "feature")))).toEqual([
      `base main ${it.id("main~1")}`,
      `head feature ${it.id("feature")}`,
      "workflow_dispatch via api",
      ...FEATURE,
    ]);
    expect(summary(await it.read(dispatch({ base: "" })))).toEqual([
      "base none",
      `head main ${it.id("main")}`,
      "workflow_dispatch via git",
      'unknown: no-base: "main" was started by hand without a base, and it is the default branch',
    ]);
  });

  test("from the last green commit", async () => {
    const green = dispatch({ base: "last-green" });
    expect(summary(await it.read(green)).slice(3)).toEqual([
      'unknown: no-base: GitHub has no workflow ci.yml (branch "main" of octo/app)',
    ]);
    it.fake.addRun(it.repository, { headSha: it.id("main~1") });
    expect(summary(await it.read(green))).toEqual([
      `base last-green ${it.id("main~1")}`,
      `head main ${it.id("main")}`,
      "workflow_dispatch via api",
      "committed added later.txt",
    ]);
  });

  test.each(["nowhere", "--upload-pack=x", "a\nb"])(
    "an input without a commit is refused: %j",
    async (base) => {
      const clone = await it.checkout(it.id("main"));
      await expect(
        it.read(dispatch({ base }), { clone }),
      ).rejects.toMatchObject({
        name: "Failure",
        exitCode: 2,
        message: `the workflow's input base names ${JSON.stringify(base)}, which is not a commit of octo/app`,
      });
    },
  );
});

test("schedule and all other events have no base", async () => {
  const event = { name: "schedule", sha: it.id("main"), payload: {} };
  expect(summary(await it.read(event))).toEqual([
    "base none",
    `head main ${it.id("main")}`,
    "schedule via git",
    'unknown: no-base: the event "schedule" has no base; --base last-green would compare with the newest green commit',
  ]);
});
