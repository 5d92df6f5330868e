import { expect, test } from "@jest/globals";
import { gitIn } from "@skein/testing";
import { buildPair, libFiles, migrate } from "../migrate.test.kit.js";

const BY_ANN = ["-c", "user.name=Ann", "-c", "user.email=ann@example.com"];

test.each([
  // The squashed source is one commit, and each sync adds one more.
  ["squash", "1 new commit", "2 +2"],
  ["move", "3 new commits", "4 +2"],
  ["graft", "3 new commits", "4 +2"],
])(
  "%s: a sync reports the new commits, and status counts them with the earlier ones",
  async (history, came, counted) => {
    await using pair = await buildPair([{ files: libFiles }]);
    const { source, target } = pair;
    const add = ["add", "../lib", "--no-register", "--history", history];
    expect(await migrate(target, add)).toMatchObject({ code: 0 });
    const git = (...args: string[]) => gitIn(source, ...BY_ANN, ...args);
    git("switch", "--quiet", "--create", "side");
    git(
      "commit",
      "--quiet",
      "--allow-empty",
      "--author=Ann <ann@example.com>",
      "-m",
      "of Ann",
    );
    git("switch", "--quiet", "main");
    git("commit", "--quiet", "--allow-empty", "-m", "of main");
    git("merge", "--quiet", "--no-ff", "-m", "merge", "side");
    const synced = await migrate(target, ["sync", "lib"]);
    expect(synced.stdout).toContain(
      `@acme/lib: ${came} and 0 new tags of main.`,
    );
    const { stdout } = await migrate(target, ["status"]);
    expect(stdout).toMatch(new RegExp(` +@acme/lib +done +${counted} `));
  },
);
