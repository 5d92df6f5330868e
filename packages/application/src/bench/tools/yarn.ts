import type { Tool } from "./tool.js";
import { linesOf, namesOf } from "./tool.js";

export const yarn: Tool = {
  name: "yarn",
  install: ["@yarnpkg/cli-dist@4.18.1"],
  links: ["@yarnpkg"],
  settings: () => ({}),
  questions: [
    {
      label: "Yarn itself",
      argv: [
        ...["node", "node_modules/@yarnpkg/cli-dist/bin/yarn.js"],
        ...["workspaces", "list", "--since=main", "-R", "--json"],
      ],
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
