import { expect, test } from "@jest/globals";
import fc from "fast-check";
import type { TraceEvent } from "../event.js";
import { Observer } from "../observe.js";
import { Places } from "../place.js";
import { PathResolver } from "../resolve-path.js";
import { makeTraces } from "../unit-trace.js";
import { makeEvidence, verify } from "./evidence.js";
import type { Entry, EvidenceWorld } from "./evidence.js";

/** Files by path, with one character of content each. */
type Tree = Readonly<Record<string, string>>;

const PATHS = ["a", "b", "d/x", "d/y", "d/e/z", "node_modules/p/i"] as const;
const NAMES = [...PATHS, "d", "d/e", "."] as const;

const kindOf = (tree: Tree, path: string) =>
  path in tree
    ? "file"
    : path === "." ||
        Object.keys(tree).some((each) => each.startsWith(`${path}/`))
      ? "folder"
      : undefined;

const namesIn = (tree: Tree, folder: string) => {
  const prefix = folder === "." ? "" : `${folder}/`;
  const names = Object.keys(tree).flatMap((path) =>
    path.startsWith(prefix)
      ? [path.slice(prefix.length).split("/")[0] ?? ""]
      : [],
  );
  return [...new Set(names)].filter((name) => name !== "node_modules").sort();
};

/** Returns the project in the form that evidence needs: git's files, and a lockfile with the installed packages. */
function worldOf(tree: Tree): EvidenceWorld {
  return {
    entry: (path): Entry | undefined => {
      const kind = kindOf(tree, path);
      return kind === "file" ? `file ${tree[path] ?? ""}` : kind;
    },
    names: (folder) => namesIn(tree, folder),
    locked: (name) => {
      const content = tree[`node_modules/${name}/i`];
      return content === undefined ? [] : [content];
    },
    variables: () => [],
    values: () => "",
    unit: () => ({ command: "test", version: "", dependsOn: [] }),
    surroundings: "",
  };
}

/**
 * Runs a program whose next step depends on everything that it has seen. It reads the tree, and writes and removes
 * files of its own.
 * @returns what it saw, and the events that a recorder would report
 */
function play(tree: Tree, choices: readonly number[], steps: number) {
  let disk: Tree = tree;
  let seen = "";
  const events: TraceEvent[] = [];
  for (let step = 0; step < steps; step++) {
    let number = choices[step % choices.length] ?? 0;
    for (const char of seen)
      number = (number * 31 + char.charCodeAt(0)) % 65_537;
    const name = NAMES[number % NAMES.length] ?? ".";
    const path = `/p/${name}`;
    const kind = kindOf(disk, name);
    switch (Math.floor(number / NAMES.length) % 5) {
      case 0:
      case 1: // Reads a file.
        events.push(
          kind === "file"
            ? { kind: "read", path }
            : { kind: kind ? "found" : "missing", path },
        );
        seen += kind === "file" ? (disk[name] ?? "") : (kind ?? "none");
        break;
      case 2: // Looks a name up.
        events.push({ kind: kind ? "found" : "missing", path });
        seen += kind ?? "none";
        break;
      case 3: // Lists a folder, but ignores its own outputs and installed files.
        events.push(
          kind === "folder"
            ? { kind: "list", path }
            : { kind: kind ? "found" : "missing", path },
        );
        if (kind !== "folder") seen += kind ?? "none";
        else
          seen += namesIn(disk, name)
            .filter((each) => each !== "out")
            .join();
        break;
      case 4: // Writes an output and reads it again.
        events.push(
          { kind: "write", path: "/p/out", emptied: true },
          { kind: "read", path: "/p/out" },
        );
        disk = { ...disk, out: seen };
    }
    seen += ";";
  }
  return { seen, events };
}

function evidenceOf(tree: Tree, events: readonly TraceEvent[]) {
  const observer = new Observer(new PathResolver(() => undefined));
  for (const event of events) observer.take(event);
  const unit = {
    ...{ id: "u#test", workspace: "u", dir: "u", script: "test" },
    dependsOn: [],
  };
  const sources = Object.keys(tree).filter(
    (path) => !path.startsWith("node_modules"),
  );
  const places = new Places({
    root: "/p",
    sources,
    private: [],
    caches: [],
    git: [],
  });
  const [trace] = makeTraces(
    [{ unit, passed: true, gaps: [], observations: observer.observations() }],
    places,
  );
  return trace && makeEvidence([trace], worldOf(tree))[0];
}

const tree = fc.dictionary(
  fc.constantFrom(...PATHS),
  fc.constantFrom("1", "2"),
);
const program = fc.tuple(
  fc.array(fc.nat(10_000), { minLength: 1, maxLength: 4 }),
  fc.integer({ min: 1, max: 8 }),
);

test("if evidence holds, any program reads the same and behaves the same", () => {
  let held = 0;
  fc.assert(
    fc.property(tree, tree, program, (before, after, [choices, steps]) => {
      const first = play(before, choices, steps);
      const evidence = evidenceOf(before, first.events);
      expect(evidence).toBeDefined();
      const mismatch = verify("u#test", () => evidence, worldOf(after));
      if (mismatch) return;
      held++;
      expect(play(after, choices, steps).seen).toBe(first.seen);
    }),
    { numRuns: 1_000 },
  );
  expect(held).toBeGreaterThan(20);
});

test("evidence holds if nothing changed, or only files that weren't read", () => {
  fc.assert(
    fc.property(tree, program, (before, [choices, steps]) => {
      const evidence = evidenceOf(before, play(before, choices, steps).events);
      const holds = (now: Tree) =>
        verify("u#test", () => evidence, worldOf(now));
      expect(holds({ ...before })).toBeUndefined();
      expect(
        holds({ ...before, "unseen/folder/x": "1" })?.kind ?? "folder",
      ).toBe("folder");
    }),
  );
});
