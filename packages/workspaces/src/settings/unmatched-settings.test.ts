import { expect, test } from "@jest/globals";
import { makeGraph } from "../make-graph.js";
import { parseSettings } from "./parse-settings.js";
import { unmatchedSettings } from "./unmatched-settings.js";

const graph = makeGraph(
  [
    { name: "root", dir: "." },
    { name: "ui", dir: "packages/ui" },
  ],
  [],
);
const paths = ["proto/a.proto", "packages/ui/src/a.ts", "packages/ui/b.md"];

test("globs that include files but match none are reported", () => {
  const affected = {
    inputs: {
      test: ["!**", "src/**", "scr/**", "!*.nothing"],
      build: ["*.md", "packages/ui/src/**"],
    },
    unowned: {
      "proto/**": ["ui"],
      "porto/**": ["ui"],
      "infar/**": "nothing",
      "scripts/*": "everything",
    },
    ignore: ["nothing"],
    tests: ["nothing"],
    documentation: ["nothing"],
  };
  const settings = parseSettings(JSON.stringify({ affected }));
  expect(unmatchedSettings(settings, graph, paths)).toEqual([
    { field: "affected.inputs.test", glob: "scr/**" },
    { field: "affected.inputs.build", glob: "packages/ui/src/**" },
    { field: "affected.unowned", glob: "porto/**" },
    { field: "affected.unowned", glob: "scripts/*" },
  ]);
  expect(unmatchedSettings(parseSettings("{}"), graph, paths)).toEqual([]);
});
