import { readdirSync } from "node:fs";
import { join } from "node:path";
import { json } from "@skein/testing";
import { numberIn, type Tool } from "./tool.js";

const ASK = ["ls", "--affected", "--output", "json"];
const env = { TURBO_SCM_BASE: "main" };

/** Turborepo: `ls --affected`. */
export const turborepo: Tool = {
  name: "turborepo",
  install: ["turbo@2.11.11"],
  links: ["turbo", "@turbo"],
  settings: () => ({
    "turbo.json": json({ tasks: { test: { cache: false } } }),
  }),
  questions: [
    {
      label: "Turborepo, as installed (npm's bin)",
      argv: ["node_modules/.bin/turbo", ...ASK],
      env,
      answer: names,
    },
    {
      label: "Turborepo, its native program itself",
      argv: ({ dir }) => [nativeProgram(dir), ...ASK],
      env,
      answer: names,
    },
  ],
  run: {
    label: "Turborepo",
    argv: ({ concurrency }) => [
      ...["node_modules/.bin/turbo", "run", "test", "--affected"],
      ...["--output-logs=errors-only", `--concurrency=${concurrency}`],
    ],
    env,
    ran: (output) => numberIn(/Tasks:\s+(\d+) successful/, output),
  },
  stop: [["node_modules/.bin/turbo", "daemon", "stop"]],
};

function names(stdout: string): string[] {
  const { packages } = JSON.parse(stdout) as {
    packages: { items: { name: string }[] };
  };
  return packages.items.map(({ name }) => name);
}

/** Returns the path of the native program in a workspace, which npm's program starts. */
export function nativeProgram(dir: string): string {
  const [platform = "none"] = readdirSync(join(dir, "node_modules/@turbo"));
  return `node_modules/@turbo/${platform}/bin/turbo`;
}
