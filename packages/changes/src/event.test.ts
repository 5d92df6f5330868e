import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { writePullRefs } from "@skein/testing";
import { FEATURE, ZERO, eventWorld, summary } from "./event-world.test.kit.js";
import type { EventSpec, EventWorld } from "./event-world.test.kit.js";

let it: EventWorld;
beforeAll(async () => {
  it = await eventWorld();
});
afterAll(async () => {
  await it[Symbol.asyncDispose]();
});

describe("pull_request", () => {
  const event = (
    name = "pull_request",
    head = it.id("feature"),
  ): EventSpec => ({
    name,
    ref: "refs/pull/7/merge",
    sha: it.id("refs/pull/7/merge"),
    payload: {
      pull_request: {
        number: 7,
        base: { ref: "main", sha: it.id("main") },
        head: { ref: "feature", sha: head },
      },
    },
  });
  const trialMerge = () => [
    `base main ${it.id("main")}`,
    `head octo/app#7 ${it.id("refs/pull/7/merge")}`,
    "pull_request via git",
    ...FEATURE,
  ];
  const fromMergeBase = (via: string, name = "pull_request") => [
    `base main ${it.id("main~1")}`,
    `head octo/app#7 ${it.id("feature")}`,
    `${name} via ${via}`,
    ...FEATURE,
  ];

  test("the parent of a trial merge is fetched in a clone with one commit", async () => {
    const clone = await it.checkout(it.id("refs/pull/7/merge"));
    const asked = it.fake.requests.length;
    expect(summary(await it.read(event(), { clone }))).toEqual(trialMerge());
    expect(it.fake.requests.length).toBe(asked);
  });

  test("a trial merge is compared in a clone with all history", async () => {
    const clone = await it.checkout(it.id("refs/pull/7/merge"), 0);
    const request = { clone, github: undefined, deepen: "never" } as const;
    expect(summary(await it.read(event(), request))).toEqual(trialMerge());
  });

  test("a checked-out head is compared with the merge base", async () => {
    const clone = await it.checkout(it.id("feature"));
    expect(summary(await it.read(event(), { clone }))).toEqual(
      fromMergeBase("git"),
    );
  });

  test("a checked-out head that is itself a merge isn't treated as the trial merge", async () => {
    const clone = await it.checkout(it.id("merged"));
    const merged = event("pull_request", it.id("merged"));
    expect(summary(await it.read(merged, { clone }))).toEqual([
      `base main ${it.id("main")}`,
      `head octo/app#7 ${it.id("merged")}`,
      "pull_request via git",
      ...FEATURE,
    ]);
  });

  test("if nothing may be fetched, GitHub's list is used", async () => {
    const clone = await it.checkout(it.id("refs/pull/7/merge"));
    const request = { clone, deepen: "never" } as const;
    expect(summary(await it.read(event(), request))).toEqual(
      fromMergeBase("api"),
    );
  });

  test("without a checkout, GitHub's list is used", async () => {
    expect(summary(await it.read(event()))).toEqual(fromMergeBase("api"));
  });

  test("after a later push, the event's own commits are compared", async () => {
    const [pull] = it.repository.pulls;
    if (!pull) throw new Error("no pull request");
    const older = event();
    pull.headSha = it.id("main~1");
    writePullRefs(it.repository, pull);
    try {
      expect(summary(await it.read(older))).toEqual(fromMergeBase("api"));
    } finally {
      pull.headSha = it.id("feature");
      writePullRefs(it.repository, pull);
    }
  });

  test("pull_request_target uses the event's ids with any checkout", async () => {
    for (const checkedOut of ["main", "refs/pull/7/merge"]) {
      const clone = await it.checkout(it.id(checkedOut));
      const target = event("pull_request_target");
      const request = { clone, deepen: "never" } as const;
      expect(summary(await it.read(target, request))).toEqual(
        fromMergeBase("api", "pull_request_target"),
      );
      expect(summary(await it.read(target, { clone }))).toEqual(
        fromMergeBase("git", "pull_request_target"),
      );
    }
  });

  test("neither git nor GitHub has the commits", async () => {
    const clone = await it.checkout(it.id("feature"));
    const request = { clone, github: undefined, deepen: "never" } as const;
    await expect(it.read(event(), request)).rejects.toMatchObject({
      name: "RepositoryError",
      problem: {
        kind: "unknown-ref",
        ref: it.id("main"),
        command: `git fetch --unshallow origin ${it.id("main")}`,
      },
    });
    const everything = { ...request, onMissingBase: "everything" } as const;
    expect(summary(await it.read(event(), everything))).toEqual([
      "base none",
      `head HEAD ${it.id("refs/pull/7/merge")}`,
      "pull_request via git",
      'unknown: no-base: the commits that the event "pull_request" names are not in the checkout, and GitHub has no comparison of them',
    ]);
  });
});

describe("merge_group", () => {
  test.each(["git", "api"])("via %s", async (via) => {
    const [base, head] = [it.id("main"), it.id("refs/pull/7/merge")];
    const clone = via === "git" ? await it.checkout(head) : undefined;
    const changeset = await it.read(
      {
        name: "merge_group",
        ref: "refs/heads/gh-readonly-queue/main/pr-7",
        sha: head,
        payload: { merge_group: { base_sha: base, head_sha: head } },
      },
      { clone },
    );
    expect(summary(changeset)).toEqual([
      `base the merge group's parent ${base}`,
      `head the merge group ${head}`,
      `merge_group via ${via}`,
      ...FEATURE,
    ]);
  });
});

describe("push", () => {
  const push = (
    branch: string,
    before: string,
    after: string,
    more: object = {},
  ): EventSpec => ({
    name: "push",
    ref: `refs/heads/${branch}`,
    sha: after,
    payload: { ref: `refs/heads/${branch}`, before, after, ...more },
  });
  const BEFORE = "base the branch before the push";

  test.each(["git", "api"])("of a new commit, via %s", async (via) => {
    const [before, after] = [it.id("main~1"), it.id("main")];
    const clone = via === "git" ? await it.checkout(after) : undefined;
    const event = push("main", before, after);
    expect(summary(await it.read(event, { clone }))).toEqual([
      `${BEFORE} ${before}`,
      `head main ${after}`,
      `push via ${via}`,
      "committed added later.txt",
    ]);
  });

  test.each(["git", "api"])(
    "by force, over a commit that still exists, via %s: all differences, including undone changes",
    async (via) => {
      const [before, after] = [it.id("feature"), it.id("main")];
      const clone = via === "git" ? await it.checkout(after) : undefined;
      const event = push("main", before, after, { forced: true });
      expect(summary(await it.read(event, { clone }))).toEqual([
        `${BEFORE} ${before}`,
        `head main ${after}`,
        `push via ${via}`,
        "committed added a/one.txt",
        "committed added gone.txt",
        "committed added later.txt",
        "committed deleted c/moved.txt",
        "committed deleted é\n.txt",
        "committed modified b.txt",
      ]);
    },
  );

  test("back to an ancestor: the undone changes count", async () => {
    const [before, after] = [it.id("main"), it.id("main~1")];
    const event = push("main", before, after, { forced: true });
    for (const clone of [await it.checkout(after), undefined])
      expect(summary(await it.read(event, { clone })).slice(3)).toEqual([
        "committed deleted later.txt",
      ]);
  });

  const gone = "1".repeat(40);
  const rows = [
    ["the first push of a branch", ZERO, { created: true }],
    ["a push by force over a commit that is gone", gone, { forced: true }],
  ] as const;
  test.each(rows)(
    "%s: from the default branch",
    async (_name, before, more) => {
      const after = it.id("feature");
      const event = push("feature", before, after, more);
      const expected = (via: string) => [
        `base main ${it.id("main~1")}`,
        `head feature ${after}`,
        `push via ${via}`,
        ...FEATURE,
      ];
      expect(summary(await it.read(event))).toEqual(expected("api"));
      const clone = await it.checkout(after);
      expect(summary(await it.read(event, { clone }))).toEqual(expected("git"));
      expect(
        summary(await it.read(event, { clone, github: undefined })),
      ).toEqual(expected("git"));
    },
  );

  test("the same on the default branch: everything is selected, with the reason", async () => {
    const after = it.id("main");
    const clone = await it.checkout(after);
    const output = async (event: EventSpec) =>
      summary(await it.read(event, { clone })).slice(3);
    expect(await output(push("main", ZERO, after))).toEqual([
      'unknown: no-base: "main" was pushed for the first time, and it is the default branch',
    ]);
    expect(await output(push("main", gone, after, { forced: true }))).toEqual([
      'unknown: no-base: "main" was pushed by force over a commit that is gone, and it is the default branch',
    ]);
  });

  test("a branch without a common history with the default branch", async () => {
    const event = push("island", ZERO, it.id("island"));
    const everything = { onMissingBase: "everything" } as const;
    expect(summary(await it.read(event, everything)).slice(3)).toEqual([
      'unknown: no-base: the commits that the event "push" names are not in the checkout, and GitHub has no comparison of them',
    ]);
    await expect(it.read(event)).rejects.toMatchObject({
      name: "Failure",
      exitCode: 3,
    });
  });

  test("a missing commit without a remote doesn't count as a force push", async () => {
    const after = it.id("main");
    const clone = await it.checkout(after);
    const request = { clone, github: undefined, deepen: "never" } as const;
    await expect(
      it.read(push("main", it.id("main~1"), after), request),
    ).rejects.toMatchObject({ problem: { kind: "unknown-ref" } });
  });

  test("a failure of GitHub doesn't count as a missing commit", async () => {
    it.fake.fail({ fault: { kind: "status", status: 403 } });
    await expect(
      it.read(push("main", it.id("main~1"), it.id("main"))),
    ).rejects.toMatchObject({ name: "GitHubError", kind: "forbidden" });
  });

  test("of a tag: everything is selected, with the reason", async () => {
    const after = it.id("main");
    const payload = { ref: "refs/tags/v1", before: ZERO, after };
    const event = { name: "push", ref: "refs/tags/v1", sha: after, payload };
    expect(summary(await it.read(event))).toEqual([
      "base none",
      `head HEAD ${after}`,
      "push via git",
      'unknown: no-base: "refs/tags/v1" was pushed, and a tag has no base',
    ]);
  });

  test("of a deleted branch: nothing is selected", async () => {
    const payload = {
      ref: "refs/heads/feature",
      before: it.id("feature"),
      after: ZERO,
      deleted: true,
    };
    const event = { name: "push", sha: it.id("main"), payload };
    expect(summary(await it.read(event))).toEqual([
      "base none",
      "head none",
      "push via git",
    ]);
  });
});
