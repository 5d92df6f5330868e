import { expect, test } from "@jest/globals";
import fc from "fast-check";
import { parseSync } from "oxc-parser";
import { fileKind } from "../../scan/file-kinds.js";
import { openScanner } from "../../scan/scanners.js";
import { buildTable } from "../table/build-table.js";
import { Layer } from "../layer.js";
import { Layout } from "../layout.js";
import { openGraph } from "../open-graph.js";

const scanBytes = openScanner(parseSync);

const PACKAGES = [0, 1, 2, 3];
const FILES = [0, 1, 2];
const nameOf = (at: number) => `@m/${"abcd".charAt(at)}`;
const dirOf = (at: number) => `packages/${"abcd".charAt(at)}`;

const number = fc.constantFrom(...PACKAGES);
const file = fc.constantFrom(...FILES);
const load = fc.oneof(
  { weight: 3, arbitrary: fc.record({ kind: fc.constant("own"), file }) },
  fc.record({ kind: fc.constant("name"), to: number }),
  fc.record({ kind: fc.constant("deep"), to: number, file }),
  fc.record({ kind: fc.constant("path"), to: number, file }),
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      { kind: "own", file: 0 } as const,
      {
        kind: "computed",
      } as const,
    ),
  },
);
/** Packages with three files each. The first file is the entry point, if there is one. */
const world = fc.array(
  fc.record({
    entry: fc.constantFrom("main", "main", "exports", "bin", "index", "none"),
    loads: fc.array(fc.array(load, { maxLength: 2 }), {
      minLength: FILES.length,
      maxLength: FILES.length,
    }),
    declares: fc.subarray(PACKAGES, { maxLength: 1 }),
  }),
  { minLength: PACKAGES.length, maxLength: PACKAGES.length },
);
type World = typeof world extends fc.Arbitrary<infer T> ? T : never;
type Load = typeof load extends fc.Arbitrary<infer T> ? T : never;

const fileOf = (all: World, to: number, at: number) =>
  at === 0 && all[to]?.entry === "index" ? "index.js" : `f${at}.js`;

function textOf(all: World, each: Load): string {
  switch (each.kind) {
    case "own":
      return `import "./OWN${each.file}";`;
    case "name":
      return `import "${nameOf(each.to)}";`;
    case "deep":
      return `import "${nameOf(each.to)}/${fileOf(all, each.to, each.file)}";`;
    case "path":
      return `import "../${"abcd".charAt(each.to)}/${fileOf(all, each.to, each.file)}";`;
    case "computed":
      return `await import("./" + process.argv[2]);`;
  }
}

/** The index of a project, as it is made from the texts of all files. */
function graphOf(all: World) {
  const texts = new Map([["package.json", "{}"]]);
  all.forEach(({ entry, loads, declares }, at) => {
    const start = `./${fileOf(all, at, 0)}`;
    const entries: Record<typeof entry, object> = {
      main: { main: start },
      exports: { exports: { ".": start } },
      bin: { bin: { [`tool-${at}`]: start } },
      index: {},
      none: {},
    };
    const dependencies = Object.fromEntries(
      declares.filter((to) => to !== at).map((to) => [nameOf(to), "*"]),
    );
    texts.set(
      `${dirOf(at)}/package.json`,
      JSON.stringify({ name: nameOf(at), ...entries[entry], dependencies }),
    );
    for (const [own, list] of loads.entries()) {
      const text = list.map((each) => textOf(all, each)).join("\n");
      texts.set(
        `${dirOf(at)}/${fileOf(all, at, own)}`,
        text.replace(/OWN(\d)/g, (_, to) => fileOf(all, at, Number(to))),
      );
    }
  });
  const layout = new Layout([
    { name: "root", dir: ".", declared: new Set() },
    ...all.map(({ declares }, at) => ({
      name: nameOf(at),
      dir: dirOf(at),
      declared: new Set(declares.filter((to) => to !== at).map(nameOf)),
    })),
  ]);
  const files = Array.from(texts, ([path, text]) => {
    const kind = fileKind(path, "100644");
    if (!kind) throw new Error(`${path} isn't read`);
    return {
      path,
      id: "",
      facts: scanBytes(kind, Buffer.from(text)),
    };
  });
  return openGraph({
    layers: [new Layer(buildTable(files, true).table, layout, new Set())],
    layout,
    names: { isTest: () => false, isPage: () => false, key: "" },
    unparsed: () => [],
    unlisted: [],
    unreadable: [],
  });
}

/** A file by its package and number, or a package with all that it declares. */
type Node = `${number}/${number}` | `${number}`;

/** Returns the files that a package loads, file by file, and the packages that it declares at any depth. */
function loadedBy(from: number, all: World): ReadonlySet<Node> {
  const files = (of: number) => FILES.map((at): Node => `${of}/${at}`);
  const seen = new Set<Node>([`${from}`, ...files(from)]);
  for (const node of seen) {
    const [of = 0, at] = node.split("/").map(Number);
    const { declares = [], loads = [] } = all[of] ?? {};
    if (at === undefined)
      for (const to of declares) {
        seen.add(`${to}`);
        // A script may run its program.
        if (of === from && all[to]?.entry === "bin") seen.add(`${to}/0`);
      }
    for (const each of at === undefined ? [] : (loads[at] ?? []))
      if (each.kind === "own") seen.add(`${of}/${each.file}`);
      else if (each.kind === "computed")
        files(of).forEach((one) => seen.add(one));
      else if (each.kind !== "name") seen.add(`${each.to}/${each.file}`);
      else if (all[each.to]?.entry !== "none") seen.add(`${each.to}/0`);
  }
  return seen;
}

/** Returns the package of a node, and its path if it is a file. */
function placeOf(node: Node, all: World) {
  const [to = 0, at] = node.split("/").map(Number);
  const path = at === undefined ? "" : `${dirOf(to)}/${fileOf(all, to, at)}`;
  return { to, path };
}

/** An edge of the index. */
interface Edge {
  readonly from: string;
  readonly to: string;
  readonly isDeclared: boolean;
  readonly testOnly: boolean;
  readonly onward?: readonly string[] | undefined;
  readonly files?: readonly string[] | undefined;
}

function edgesOf(all: World): readonly Edge[] {
  const { edges, narrowed } = graphOf(all).edges();
  const declared = all.flatMap(({ declares }, at) =>
    declares.flatMap((other): Edge[] => {
      const [from, to] = [nameOf(at), nameOf(other)];
      const known = narrowed.find((one) => one.from === from && one.to === to);
      const { onward } = known ?? {};
      return [{ from, to, isDeclared: true, testOnly: false, onward }];
    }),
  );
  return [
    ...declared,
    ...edges.map((edge) => ({ ...edge, isDeclared: false })),
  ].filter(({ from, to }) => from !== to);
}

/**
 * Returns whether a change of `target` affects a package, by the edges alone. @see decideAffected
 * @param path of the file in it that changes; empty for its manifest
 */
function leadsTo(
  from: string,
  target: string,
  path: string,
  edges: readonly Edge[],
): boolean {
  const seen = new Set<Edge>();
  const walk = (edge: Edge): boolean => {
    if (
      edge.to === target &&
      (path === "" || edge.files?.includes(path) !== false)
    )
      return true;
    if (seen.has(edge)) return false;
    seen.add(edge);
    return edges.some(
      (next) =>
        next.from === edge.to &&
        !next.testOnly &&
        (edge.onward?.includes(next.to) !== false ||
          (edge.isDeclared && next.isDeclared)) &&
        walk(next),
    );
  };
  return edges.some((edge) => edge.from === from && walk(edge));
}

/**
 * Returns the packages that files of one package use which another package loads, file by file; undefined if something that
 * isn't known is involved: a computed path, or a name without entry points.
 */
function usedThrough(
  from: number,
  to: number,
  all: World,
): ReadonlySet<number> | undefined {
  const { entry, loads = [] } = all[to] ?? {};
  const isDeclared = all[from]?.declares.includes(to) === true;
  const seen = new Set(entry === "bin" && isDeclared ? [0] : []);
  let isNamed = false;
  for (const each of all[from]?.loads.flat() ?? []) {
    if (each.kind === "computed") continue;
    if (each.kind === "own" || each.to !== to) continue;
    isNamed = true;
    if (each.kind === "name" && (entry === "none" || !isDeclared))
      return undefined;
    seen.add(each.kind === "name" ? 0 : each.file);
  }
  if (!isNamed && entry !== "bin") return undefined;
  const used = new Set<number>();
  for (const at of seen)
    for (const each of loads[at] ?? [])
      if (each.kind === "computed") return undefined;
      else if (each.kind === "own") seen.add(each.file);
      else if (each.to === to) return undefined;
      else used.add(each.to);
  return used;
}

// `SKEIN_REACH_RUNS=20000` with this file's path behind Jest's command tries as many projects.
const numRuns = Number(process.env["SKEIN_REACH_RUNS"] ?? "400");

test("a package depends on all that its modules load, and through other packages on no more", () => {
  const seen = { narrowed: 0, apart: 0, free: 0, read: 0 };
  fc.assert(
    fc.property(world, (all) => {
      const edges = edgesOf(all);
      for (const from of PACKAGES) {
        const loaded = Array.from(loadedBy(from, all), (node) =>
          placeOf(node, all),
        );
        for (const { to, path } of loaded)
          if (to !== from && !leadsTo(nameOf(from), nameOf(to), path, edges))
            throw new Error(`${nameOf(from)} misses ${nameOf(to)} ${path}`);
        const paths = new Set(loaded.map(({ path }) => path));
        for (const { from: name, to, files = [] } of edges)
          for (const file of name === nameOf(from) ? files : [])
            if (paths.has(file)) seen.read++;
            else throw new Error(`${name} doesn't load ${file} of ${to}`);
        for (const to of PACKAGES) {
          const own = edges.filter(
            (edge) => edge.from === nameOf(from) && edge.to === nameOf(to),
          );
          const next = edges.filter(
            (edge) =>
              edge.from === nameOf(to) && !edge.isDeclared && !edge.testOnly,
          );
          if (own.length === 0 || next.length === 0) continue;
          const names = new Set(next.map((edge) => edge.to));
          const leads = [...names].filter((name) =>
            own.some(({ onward }) => onward?.includes(name) !== false),
          );
          const used = usedThrough(from, to, all);
          if (!used) seen.free++;
          else {
            const expected = new Set(Array.from(used, nameOf));
            expect(leads).toEqual(
              [...names].filter((name) => expected.has(name)),
            );
            if (leads.length < names.size) seen.narrowed++;
          }
        }
      }
      seen.apart += edges.filter(({ testOnly }) => testOnly).length;
    }),
    { numRuns },
  );
  // The generator makes cases of all sorts, or the property says little.
  expect(Math.min(...Object.values(seen))).toBeGreaterThan(numRuns / 10);
});
