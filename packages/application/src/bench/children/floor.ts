// The minimum that a program in Node must do to answer: the merge base, the diff, and the graph from only yarn.lock. It
// supports only the generated workspace, and imports only Node's own modules.
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";

const git = (...args: string[]) =>
  execFileSync("git", args, { encoding: "utf8" });
const base = git("merge-base", "main", "HEAD").trim();
const diff = git("diff", "--name-only", "-z", "--no-renames", base, "HEAD");
const changed = new Set(
  diff.split("\0").map((path) => path.split("/").slice(0, 2).join("/")),
);
const dependents = new Map<string, string[]>();
const affected = new Set<string>();
for (const block of readFileSync("yarn.lock", "utf8").split("\n\n")) {
  const [, name = "", dir = ""] =
    /\n {2}resolution: "(.+)@workspace:(.+)"\n/.exec(block) ?? [];
  if (changed.has(dir)) affected.add(name);
  for (const [, on = ""] of block.matchAll(/\n {4}"(.+)": "workspace:/g)) {
    const known = dependents.get(on);
    if (known) known.push(name);
    else dependents.set(on, [name]);
  }
}
for (const name of affected)
  for (const dependent of dependents.get(name) ?? []) affected.add(dependent);
process.stdout.write([...affected].map((name) => `${name}\n`).join(""));
