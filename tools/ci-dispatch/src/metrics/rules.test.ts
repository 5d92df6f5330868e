import { expect, test } from "@jest/globals";
import { parseSettings } from "@skein/workspaces";
import { rulesFor } from "./rules.js";

const { metrics } = parseSettings(
  JSON.stringify({
    metrics: {
      publish: [
        { from: "deployment", environment: "production" },
        { from: "npm" },
        { from: "npm", package: "@acme/ui", repository: "Acme/UI" },
        {
          from: "tag",
          tag: "v{version}",
          package: "grid",
          repository: "acme/grid",
        },
      ],
      upgrades: [{ title: "Take {package} {version}" }],
    },
  }),
);
const registry = "https://registry.npmjs.org";
const own = () => Promise.resolve(["@acme/app", "@acme/web"]);

test("a rule applies to the repository that it names, or else to the repository of the clone", async () => {
  const publishOf = async (repository: string, isHere: boolean) =>
    (await rulesFor(metrics, repository, isHere, own)).publish;
  expect(await publishOf("acme/app", true)).toEqual([
    { from: "deployment", environment: "production", repository: undefined },
    { from: "npm", package: "@acme/app", registry },
    { from: "npm", package: "@acme/web", registry },
  ]);
  expect(await publishOf("acme/ui", false)).toEqual([
    { from: "npm", package: "@acme/ui", registry },
  ]);
  expect(await publishOf("acme/grid", false)).toMatchObject([
    { from: "tag", tag: "v{version}", package: "grid" },
  ]);
  expect(await publishOf("acme/other", false)).toMatchObject([
    { from: "release", tag: undefined },
  ]);
});
