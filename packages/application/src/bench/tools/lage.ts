import { numberIn, type Tool } from "./tool.js";

const LAGE = "node_modules/.bin/lage";

/** lage: `affected --since main`. */
export const lage: Tool = {
  name: "lage",
  install: ["lage@2.17.0"],
  links: ["lage"],
  settings: () => ({
    "lage.config.js":
      'module.exports = { pipeline: { test: [] }, npmClient: "yarn" };\n',
  }),
  questions: [
    {
      label: "lage",
      argv: [LAGE, "affected", "--since", "main", "--output-format", "json"],
      answer: names,
    },
  ],
  run: {
    label: "lage",
    argv: ({ concurrency }) => [
      ...[LAGE, "test", "--since", "main", "--no-cache"],
      ...["--concurrency", `${concurrency}`],
    ],
    ran: (output) => numberIn(/success: (\d+)/, output),
  },
};

function names(stdout: string): string[] {
  const { packages } = JSON.parse(stdout) as { packages: object };
  return Object.keys(packages);
}
