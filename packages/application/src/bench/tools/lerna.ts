import { json } from "@skein/testing";
import type { Tool } from "./tool.js";

/** Lerna: `ls --since main`. */
export const lerna: Tool = {
  name: "lerna",
  // lerna 10 requires Node 22.
  install: ["lerna@9.0.7"],
  links: ["lerna"],
  settings: () => ({
    "lerna.json": json({ version: "independent", npmClient: "yarn" }),
  }),
  questions: [
    {
      label: "lerna",
      argv: [
        "node_modules/.bin/lerna",
        "ls",
        "--since",
        "main",
        "--all",
        "--json",
      ],
      // It contains its own Nx, which must not use the cache of the other Nx.
      env: { NX_DAEMON: "false", NX_WORKSPACE_DATA_DIRECTORY: ".nx/lerna" },
      answer: (stdout) =>
        (JSON.parse(stdout) as { name: string }[]).map(({ name }) => name),
    },
  ],
};
