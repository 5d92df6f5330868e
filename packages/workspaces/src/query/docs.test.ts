import { readFileSync } from "node:fs";
import { expect, test } from "@jest/globals";
import type { EdgeKind } from "../graph.js";
import { ownersOfPackage, parseCodeowners } from "./codeowners.js";
import { evaluateQuery } from "./evaluate.js";
import { parseQuery } from "./parse.js";
import { describeProblem } from "./problems.js";
import { tagReader } from "./tags.js";
import { toyGraph } from "./toy-graph.test.support.js";

const page = readFileSync(
  new URL("../../../../docs/filter.md", import.meta.url),
  "utf8",
);

/** Returns the content of the page's only block with this heading. */
function block(heading: string): string {
  const [, content, ...more] = page.split(`\`\`\`${heading}\n`);
  if (content === undefined || more.length > 0)
    throw new Error(`docs/filter.md has not exactly one block ${heading}`);
  return content.split("\n```")[0] ?? "";
}

const workspace = JSON.parse(block("json workspace")) as {
  folders: Record<string, string>;
  dependencies: Record<string, string[]>;
  codeowners: string;
  tags: Record<string, string[]>;
  affected: string[];
};
const graph = toyGraph(
  workspace.folders,
  Object.entries(workspace.dependencies).flatMap(([from, all]) =>
    all.map((to): [string, string, EdgeKind] => [from, to, "dependencies"]),
  ),
);
const codeowners = parseCodeowners(workspace.codeowners);
const context = {
  affected: new Set(workspace.affected),
  ownersOf: (name: string) =>
    ownersOfPackage(codeowners, workspace.folders[name] ?? ""),
  tagsOf: tagReader(workspace.tags),
};

/** Returns the complete answer in the form of the page. */
function answer(text: string): string {
  const parsed = parseQuery(text);
  if (!parsed.ok) return `✗ ${describeProblem(text, parsed.problem).message}`;
  const { selected, problems } = evaluateQuery(parsed.query, graph, context);
  const [problem] = problems;
  return problem
    ? `✗ ${describeProblem(text, problem).message.split("\n")[0] ?? ""}`
    : `→ ${[...selected].join(" ")}`;
}

const examples = block("filter")
  .split("\n")
  .map((line) => /^(.*?) +([→✗].*)$/.exec(line)?.slice(1) ?? [line, ""]);

test.each(examples)("%s %s", (text = "", expected) => {
  expect(answer(text)).toBe(expected);
});

test("the error is what the page shows", () => {
  const [text = "", ...words] = block("error").split("\n");
  const parsed = parseQuery(text);
  const problem = parsed.ok
    ? evaluateQuery(parsed.query, graph, context).problems[0]
    : parsed.problem;
  const { message, hint } = problem
    ? describeProblem(text, problem)
    : { message: "", hint: "" };
  expect(`${message}\n${hint ?? ""}`).toBe(words.join("\n"));
});
