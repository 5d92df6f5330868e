import type { Tool } from "./tool.js";
import { linesOf, namesOf } from "./tool.js";

/** Yarn as its own guide says to start it: by Corepack, which keeps it compiled. */
export const YARN = ["node", "node_modules/corepack/dist/yarn.js"];
const HOME = "$PWD/node_modules/corepack/home";
export const YARN_ENV = { COREPACK_HOME: HOME };

export const yarn: Tool = {
  name: "yarn",
  install: ["corepack@0.34.7", "@yarnpkg/cli-dist@4.18.1"],
  setUp: {
    argv: [
      ...["node", "node_modules/corepack/dist/corepack.js"],
      ...["install", "--global", "yarn@4.18.1"],
    ],
    // Yarn from the registry that all else comes from.
    env: { ...YARN_ENV, COREPACK_NPM_REGISTRY: "https://registry.npmjs.org" },
  },
  links: ["corepack", "@yarnpkg"],
  hidesBins: true,
  settings: () => ({}),
  questions: [
    {
      label: "Yarn itself",
      argv: [
        ...YARN,
        ...["workspaces", "list", "--since=main", "-R", "--json"],
      ],
      env: YARN_ENV,
      answer: (stdout, site) =>
        namesOf(
          linesOf(stdout).map(
            (line) => (JSON.parse(line) as { location: string }).location,
          ),
          site,
        ),
    },
  ],
};
