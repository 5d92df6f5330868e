import { json, type Files } from "@skein/testing";
import { numberIn, type Tool } from "./tool.js";

const NX = "node_modules/.bin/nx";
const RANGE = ["--base=main", "--head=HEAD"];
const ASK = [NX, "show", "projects", "--affected", ...RANGE, "--json"];

/** Nx: `show projects --affected`. */
export const nx: Tool = {
  name: "nx",
  install: ["nx@24.0.6"],
  links: ["nx"],
  settings: () => nxSettings(false),
  questions: [
    {
      label: "Nx, with its daemon",
      argv: ASK,
      env: { NX_DAEMON: "true" },
      answer: names,
    },
    {
      label: "Nx, without its daemon (as in CI)",
      argv: ASK,
      env: { NX_DAEMON: "false" },
      answer: names,
    },
  ],
  run: {
    label: "Nx",
    argv: ({ concurrency }) => [
      ...[NX, "affected", "--target=test", ...RANGE],
      ...[`--parallel=${concurrency}`, "--outputStyle=static"],
    ],
    env: { NX_DAEMON: "true" },
    ran: (output) =>
      numberIn(/Successfully ran target test for (\d+) projects/, output),
  },
  stop: [[NX, "daemon", "--stop"]],
};

/** Returns Nx's settings. @param cache whether it stores and replays results of tests */
export function nxSettings(cache: boolean): Files {
  return {
    "nx.json": json({
      defaultBase: "main",
      neverConnectToCloud: true,
      analytics: false,
      targetDefaults: { test: { cache } },
    }),
  };
}

/** Returns the names of projects. Nx would add the root as a project if it had scripts, but it has none. */
function names(stdout: string): string[] {
  return JSON.parse(stdout) as string[];
}
