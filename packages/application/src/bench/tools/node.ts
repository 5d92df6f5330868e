import { fileURLToPath } from "node:url";
import { linesOf, type Tool } from "./tool.js";

const FLOOR = fileURLToPath(new URL("../children/floor.js", import.meta.url));

/** The lower bound for any program in JavaScript. */
export const node: Tool = {
  name: "node",
  install: [],
  links: [],
  settings: () => ({}),
  questions: [
    {
      label: "Node's floor: only its start",
      argv: ["node", "-e", "0"],
      answer: () => undefined,
    },
    {
      label: "Node's floor: merge base, diff, yarn.lock",
      argv: ["node", FLOOR],
      answer: linesOf,
    },
  ],
};
