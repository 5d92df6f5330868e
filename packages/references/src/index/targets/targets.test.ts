import { expect, test } from "@jest/globals";
import fc from "fast-check";
import { REFERENCE_KINDS } from "../../reference.js";
import { resolveReference } from "../../resolve.js";
import { Nodes, Numbering } from "../table/nodes.js";
import { PACKAGES_NODE, PARTIAL } from "../table/table.js";
import { FilePlaces, Targets } from "./targets.js";

const part = fc.constantFrom(
  ...["..", ".", "a", "b.js", "c.d.ts", "@m", ".e", "", "x y", "f?g", "h!i"],
  ...["index.js", "node:fs", "https:", "é", "src"],
);
const words = fc
  .tuple(
    fc.constantFrom("", "./", "../", "../../", "/", "@m/", "a/"),
    fc.array(part, { maxLength: 3 }),
    fc.constantFrom("", "/"),
  )
  .map(([start, parts, end]) => start + parts.join("/") + end);
const file = fc
  .array(fc.constantFrom("p", "q.js", ".r"), { maxLength: 3 })
  .map((dirs) => [...dirs, "file.ts"].join("/"));

test("each reference has the target that resolveReference returns", () => {
  fc.assert(
    fc.property(
      fc.array(
        fc.tuple(
          file,
          words,
          fc.constantFrom(...REFERENCE_KINDS.entries()),
          fc.boolean(),
        ),
        { minLength: 1, maxLength: 12 },
      ),
      (references) => {
        const strings = new Numbering<string>();
        const nodes = new Nodes(strings);
        const targets = new Targets(nodes, strings);
        const places = new FilePlaces(nodes);
        for (const [path, specifier, [number, kind], partial] of references) {
          const info = partial ? number | PARTIAL : number;
          const node = targets.of(places.of(path), strings.of(specifier), info);
          const meant = resolveReference(path, {
            ...{ specifier, kind, partial },
            ...{ line: 1, column: 1 },
          });
          expect(node < 0 ? undefined : wordsOf(node)).toEqual(
            meant && expected(meant),
          );
        }

        function wordsOf(node: number): readonly string[] {
          const parts: string[] = [];
          let at = node;
          for (; at > PACKAGES_NODE; at = nodes.parents[at] ?? 0)
            parts.unshift(strings.items[nodes.names[at] ?? 0] ?? "");
          return [at === PACKAGES_NODE ? "package" : "path", parts.join("/")];
        }
      },
    ),
    { numRuns: 2000 },
  );
});

function expected(
  target: NonNullable<ReturnType<typeof resolveReference>>,
): readonly string[] {
  switch (target.kind) {
    case "path":
      return ["path", target.key.replace(/^\//, "")];
    case "package":
      return ["package", target.name];
    case "exclusion":
      return ["package", "\x01exclusions"];
    case "tsconfig-paths":
      return ["package", "\x01aliases"];
    case "script-name":
      return ["package", "\x01script-names"];
    case "script-call":
      return ["package", "\x01script-calls"];
    case "script-text":
      return ["package", "\x01script-texts"];
    case "variable":
      return ["package", "\x01variables"];
    case "program":
      return ["package", "\x01programs"];
  }
}
