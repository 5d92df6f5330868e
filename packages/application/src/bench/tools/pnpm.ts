import { relative } from "node:path";
import { linesOf, namesOf, type Tool } from "./tool.js";

/** pnpm: the filter `...[main]`. */
export const pnpm: Tool = {
  name: "pnpm",
  install: ["pnpm@12.21.0"],
  links: ["pnpm", "@pnpm"],
  settings: () => ({
    "pnpm-workspace.yaml": "packages:\n  - packages/*\n  - apps/*\n",
  }),
  questions: [
    {
      label: "pnpm",
      argv: [
        "node_modules/.bin/pnpm",
        // The workspace's manifest requires Yarn.
        ...["--config.pm-on-fail=ignore", "--filter", "...[main]"],
        ...["ls", "--depth", "-1", "--parseable"],
      ],
      answer: (stdout, site) =>
        namesOf(
          linesOf(stdout).map((line) => relative(site.dir, line)),
          site,
        ),
    },
  ],
};
