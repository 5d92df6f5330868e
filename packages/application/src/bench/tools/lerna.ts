import { json } from "@skein/testing";
import type { Tool } from "./tool.js";

export const lerna: Tool = {
  name: "lerna",
  // lerna 10 needs Node 22.
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
      // It brings an Nx of its own, which must not take the other's cache for its own.
      env: { NX_DAEMON: "false", NX_WORKSPACE_DATA_DIRECTORY: ".nx/lerna" },
      answer: (stdout) =>
        (JSON.parse(stdout) as { name: string }[]).map(({ name }) => name),
    },
  ],
};
