import { rm } from "node:fs/promises";
import { join } from "node:path";
import type { Site } from "../site.js";
import { linesOf, REFERENCE, type Tool } from "./tool.js";
import { YARN, YARN_ENV } from "./yarn.js";

const BIN = "node_modules/@skein/affected/bin/affected.js";

/** The cache of a first run, relative to the workspace's root. */
const FORGOTTEN = ".git/skein-first-time";

/** Skein in the form for its users: packed, installed from the tarballs, and started by its bin. */
export const skein: Tool = {
  name: "skein",
  // It comes from this checkout, not from the registry.
  install: [],
  links: ["@skein"],
  settings: () => ({}),
  questions: [
    { label: REFERENCE, argv: ["node", BIN, "list"], answer: linesOf },
    {
      label: "Skein, as in CI (`--committed`)",
      argv: ["node", BIN, "list", "--committed"],
      answer: linesOf,
    },
    {
      label: "Skein, and no sources read (`--no-source-edges`)",
      argv: ["node", BIN, "list", "--committed", "--no-source-edges"],
      answer: linesOf,
    },
    {
      label: "Skein, the first time (no index yet)",
      argv: ["node", BIN, "list"],
      // A cache that the other rows don't use.
      env: { SKEIN_CACHE_DIR: FORGOTTEN },
      prepare: forget,
      answer: linesOf,
    },
    {
      label: "Skein through its Yarn plugin",
      argv: [...YARN, "affected", "list"],
      env: YARN_ENV,
      answer: linesOf,
    },
    {
      label: "Skein through its Yarn plugin, as in CI",
      argv: [...YARN, "affected", "list", "--committed"],
      env: YARN_ENV,
      answer: linesOf,
    },
    {
      label: "Skein through its Yarn plugin, without Corepack",
      argv: [
        ...["node", "node_modules/@yarnpkg/cli-dist/bin/yarn.js"],
        ...["affected", "list"],
      ],
      answer: linesOf,
    },
    {
      // The lower bound for any command of a plugin.
      label: "Yarn's floor: `yarn --version`",
      argv: [...YARN, "--version"],
      env: YARN_ENV,
      answer: () => undefined,
    },
  ],
  run: {
    label: REFERENCE,
    argv: ({ concurrency }) => [
      ...["node", BIN, "run", "test"],
      ...["--concurrency", `${concurrency}`, "--json"],
    ],
    ran: (output) => output.match(/"status": "passed"/g)?.length ?? 0,
  },
};

function forget({ dir }: Site): Promise<void> {
  return rm(join(dir, FORGOTTEN), { recursive: true, force: true });
}
