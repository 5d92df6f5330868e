import { expect, test } from "@jest/globals";
import fc from "fast-check";
import { openRepository } from "@skein/git";
import { gitTestEnv } from "@skein/testing";
import { readGitChangeset } from "./git-changeset.js";
import { readPullRequestChangeset } from "./github-pull-request.js";
import { githubWorld, octo } from "./github-world.test.kit.js";

const paths = ["a", "b/c", "b/d", "é", "x y", "-z"];
/** Contents that make moves, moves with an edit, and new files equally frequent. */
const contents = ["one\n".repeat(9), `${"one\n".repeat(9)}two\n`, "three\n"];

const files = fc.dictionary(
  fc.constantFrom(...paths),
  fc.constantFrom(...contents),
  { noNullPrototype: true },
);

test("GitHub's list, including renames, has the same paths as git", async () => {
  await fc.assert(
    fc.asyncProperty(files, files, files, async (base, main, feature) => {
      const removed = (next: object) =>
        Object.keys(base).filter((path) => !(path in next));
      await using it = await githubWorld([
        { files: { ...base, start: "" } },
        {
          branch: "feature",
          from: "main",
          files: feature,
          remove: removed(feature),
        },
        { branch: "main", files: main, remove: removed(main) },
      ]);
      it.fake.addPull(it.repository, {
        number: 1,
        base: "main",
        head: "feature",
      });
      const listed = await readPullRequestChangeset({
        github: it.github,
        pullRequest: { repository: octo, number: 1 },
      });
      const known = await readGitChangeset(
        await openRepository({ cwd: it.dir, env: gitTestEnv }),
        {
          base: "main",
          head: "feature",
          workingTree: false,
          deepen: "never",
          onMissingBase: "error",
        },
      );
      const facts = ({ changes, unknown, base: from }: typeof known) => ({
        changes: changes.map(({ path, kind, newId }) =>
          [path, kind, kind === "deleted" ? "" : newId].join(" "),
        ),
        from: from?.commit,
        unknown,
      });
      expect(facts(listed)).toEqual(facts(known));
    }),
    { numRuns: 15, seed: 7 },
  );
});
