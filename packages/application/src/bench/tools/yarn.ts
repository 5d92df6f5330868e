import { linesOf, namesOf, type Tool } from "./tool.js";

/** The command for Yarn according to its own guide: through Corepack, which caches it in compiled form. */
export const YARN = ["node", "node_modules/corepack/dist/yarn.js"];
const HOME = "$PWD/node_modules/corepack/home";
/** The environment of `YARN`: the folder in which Corepack has cached it. */
export const YARN_ENV = { COREPACK_HOME: HOME };

/** Yarn: `workspaces list --since=main`. */
export const yarn: Tool = {
  name: "yarn",
  install: ["corepack@0.34.7", "@yarnpkg/cli-dist@4.18.1"],
  setUp: {
    argv: [
      ...["node", "node_modules/corepack/dist/corepack.js"],
      ...["install", "--global", "yarn@4.18.1"],
    ],
    // Yarn comes from the same registry as everything else.
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
