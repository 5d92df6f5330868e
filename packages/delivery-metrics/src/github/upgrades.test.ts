import { expect, test } from "@jest/globals";
import type { PullFacts } from "./pull-facts.js";
import { upgradesOf, type UpgradeRule } from "./upgrades.js";

const PULL: PullFacts = {
  pull: 1,
  title: null,
  body: null,
  author: { login: "renovate[bot]", bot: true },
  branch: "renovate/acme-ui-1.x",
  base: "main",
  draft: false,
  fork: false,
  created: 0,
  closed: undefined,
  merged: undefined,
  migrations: [],
  timeline: [],
};
const ANN = { login: "ann", bot: false };

/** Returns the upgrades, as `name@version`. */
function reported(
  change: Partial<PullFacts>,
  rules: readonly UpgradeRule[] = [],
): readonly string[] {
  return upgradesOf({ ...PULL, ...change }, rules).map(
    ({ name, version }) => `${name}@${version}`,
  );
}

// Titles in the forms of Renovate and Dependabot.
test.each([
  ["Update dependency @acme/ui to v1.2.0", ["@acme/ui@1.2.0"]],
  ["fix(deps): update dependency ui to ^2.0.0-rc.1", ["ui@2.0.0-rc.1"]],
  ["chore(deps): pin @acme/ui to 1.2.0", ["@acme/ui@1.2.0"]],
  ["Update dependency @acme/ui to v4", ["@acme/ui@null"]],
  ["Bump @acme/ui from 1.1.0 to 1.2.0 in /packages/web", ["@acme/ui@1.2.0"]],
  ["build(deps-dev): bump ui from 1.1.0 to 1.2.0", ["ui@1.2.0"]],
  ["Update acme packages", []],
  ["Bump the acme group with 2 updates", []],
  ["Lock file maintenance", []],
  ["Update dependency ../../etc to v1.0.0", []],
])("the title %s", (title, upgrades) => {
  expect(reported({ title })).toEqual(upgrades);
});

test("Renovate's table is read, but not the tables of the release notes below it", () => {
  const body = `This PR contains the following updates:

| Package | Change | Age | Confidence |
|---|---|---|---|
| [@acme/ui](https://acme.example/ui) ([source](https://redirect.github.com/acme/ui)) | [\`1.1.0\` → \`1.2.0\`](https://renovatebot.com/diffs/npm/@acme%2fui/1.1.0/1.2.0) | ![age](https://a.example) | ![c](https://c.example) |
| [@acme/grid](https://acme.example/grid) | [\`^2.0.0\` -> \`^2.1.0\`](https://renovatebot.com/diffs/npm/@acme%2fgrid/2.0.0/2.1.0) | | |
| plain | \`1.0.0\` -> \`1.0.1\` | | |

---

### Release Notes

<details>
<summary>acme/ui (@acme/ui)</summary>

| [evil](https://evil.example) | \`1.0.0\` -> \`9.9.9\` |

</details>
`;
  expect(reported({ title: "Update acme packages", body })).toEqual([
    "@acme/ui@1.2.0",
    "@acme/grid@2.1.0",
    "plain@1.0.1",
  ]);
});

test("a group of Dependabot is read", () => {
  const body = `Bumps the acme group with 2 updates: [@acme/ui](https://github.com/acme/ui) and [@acme/grid](https://github.com/acme/grid).

Updates \`@acme/ui\` from 1.1.0 to 1.2.0
<details>
<summary>Commits</summary>
Updates \`evil\` from 1.0.0 to 9.9.9
</details>
<br />

Updates \`@acme/grid\` from 2.0.0 to 2.1.0
`;
  const change = {
    title: "Bump the acme group with 2 updates",
    author: { login: "dependabot[bot]", bot: true },
    branch: "dependabot/npm_and_yarn/acme-1a2b3c",
    body,
  };
  expect(reported(change)).toEqual(["@acme/ui@1.2.0", "@acme/grid@2.1.0"]);
});

test("a person's pull request isn't an upgrade, even with the title of one; that of a Renovate with a person's account is", () => {
  const title = "Update dependency @acme/ui to v1.2.0";
  expect(reported({ title, author: ANN, branch: "ui" })).toEqual([]);
  expect(reported({ title, author: ANN })).toEqual(["@acme/ui@1.2.0"]);
});

test("a team's own program is recognised by its title, and by its account if the rule names one", () => {
  const change = {
    title: "[release-train] @acme/ui 1.2.0",
    author: ANN,
    branch: "train",
  };
  const rule = { title: "[release-train] {package} {version}" };
  expect(reported(change, [{ ...rule, author: undefined }])).toEqual([
    "@acme/ui@1.2.0",
  ]);
  expect(reported(change, [{ ...rule, author: "ann" }])).toEqual([
    "@acme/ui@1.2.0",
  ]);
  expect(reported(change, [{ ...rule, author: "train[bot]" }])).toEqual([]);
  expect(
    reported({ ...change, title: "Ride the train" }, [
      { ...rule, author: undefined },
    ]),
  ).toEqual([]);
});

test("a text that is made to be slow is read quickly, and at most 200 upgrades count", () => {
  const many = Array.from(
    { length: 500 },
    (_, index) => `Updates \`p${index}\` from 1.0.0 to 1.0.1`,
  );
  expect(reported({ body: many.join("\n") })).toHaveLength(200);
  // With an ambiguous pattern, any of these would take for ever.
  reported({ body: `| [a](b) ${"`".repeat(60_000)}` });
  reported({ body: `| ${"a".repeat(60_000)}` });
  reported({
    title: `bump ${"a ".repeat(500)}`,
    body: `|${" ".repeat(60_000)}x`,
  });
});
