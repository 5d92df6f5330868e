import { expect, test } from "@jest/globals";
import { anyText } from "@skein/testing/any-text";
import fc from "fast-check";
import { graphFormats } from "../command.js";
import { renderGraph } from "./formats.js";
import type { GraphView } from "./graph-view.js";
import { misfits } from "../schemas.test.support.js";
import { embeddable } from "./html.js";
import { layered, sample } from "./sample.test.support.js";

test("Mermaid", async () => {
  expect(await renderGraph("mermaid", sample)).toBe(String.raw`---
title: "Acme ‹/title›‹script›alert(\"title\")‹/script›"
---
flowchart LR
  n0["root"]
  n1(["● @acme/core"])
  n2(["● @acme/ui"])
  n3(["● @acme/web"])
  n4["@acme/docs"]
  n5["#60;/script#62;#60;script#62;alert#40;1#41;#60;/script#62;"]
  n6["#92;u2028#36;#38;#60;#33;-- script --#62;#92;u2029#92;#34;#39;#92;n#37;#37;#59;end"]
  n2 --> n1
  n3 --> n2
  n3 -.->|dev| n1
  n4 -->|peer| n5
  n5 -.->|source| n6
  classDef affected fill:#ffd8a8,stroke:#d9480f,stroke-width:3px,color:#000
  class n1,n2,n3 affected
`);
  const big = await renderGraph("mermaid", layered(200));
  expect(big).toContain("%% 915 edges: Mermaid draws 500 unless");
});

test("DOT", async () => {
  expect(await renderGraph("dot", sample))
    .toBe(String.raw`digraph "Acme </title><script>alert(\"title\")</script>" {
  rankdir=LR;
  node [shape=box fontname="sans-serif"];
  "root";
  "@acme/core" [peripheries=2 style=filled fillcolor="#ffd8a8"];
  "@acme/ui" [peripheries=2 style=filled fillcolor="#ffd8a8"];
  "@acme/web" [peripheries=2 style=filled fillcolor="#ffd8a8"];
  "@acme/docs";
  "</script><script>alert(1)</script>";
  "\\u2028$&<!-- script -->\\u2029\\\"'\\n%%;end";
  "@acme/ui" -> "@acme/core";
  "@acme/web" -> "@acme/ui";
  "@acme/web" -> "@acme/core" [label="dev" style=dashed];
  "@acme/docs" -> "</script><script>alert(1)</script>" [label="peer"];
  "</script><script>alert(1)</script>" -> "\\u2028$&<!-- script -->\\u2029\\\"'\\n%%;end" [label="source" style=dotted];
}
`);
});

test("JSON matches its schema and is complete", async () => {
  for (const view of [
    sample,
    layered(50),
    { title: "", nodes: [], edges: [] },
  ]) {
    const text = await renderGraph("json", view);
    const document = JSON.parse(text) as Record<string, unknown>;
    expect(misfits("graph", document)).toEqual([]);
    const { nodes, ...rest } = view;
    expect(document).toEqual({ version: 1, ...rest, packages: nodes });
    expect(text.endsWith("\n")).toBe(true);
  }
  expect(
    misfits("graph", {
      version: 1,
      title: "",
      packages: [],
      edges: [],
      more: 1,
    }),
  ).toEqual([["", "must NOT have additional properties"]]);
});

test("a value that is embedded in a page is the same, and can't close its element", () => {
  fc.assert(
    fc.property(anyText(), (text) => {
      for (const name of [text, `</script ${text}`, `<!--${text}\u2028]]>`]) {
        const embedded = embeddable({ name });
        expect(JSON.parse(embedded)).toEqual({ name });
        expect(embedded).not.toMatch(/[<>&\u2028\u2029\n]/);
      }
    }),
  );
});

const name = fc.oneof(
  anyText(),
  fc.constantFrom(
    '"',
    "\\",
    '\\"',
    "];",
    "--> n0",
    "n0",
    "end",
    "]] -->",
    "subgraph",
  ),
);

/** Removes the quoted strings of a text, so that a name that breaks out of its quotes becomes visible. */
const outsideQuotes = (text: string) =>
  text.replace(/"(?:[^"\\\n]|\\.)*"/g, "Q");

test("names can't close their quotes", async () => {
  await fc.assert(
    fc.asyncProperty(name, name, async (a, b) => {
      fc.pre(a !== b);
      const view = (one: string, two: string): GraphView => ({
        title: one,
        nodes: [one, two].map((each) => ({
          name: each,
          dir: each,
          affected: true,
          reasons: [each],
          tags: [],
          owners: [],
        })),
        edges: [{ from: one, to: two, kind: "dependencies" }],
      });
      for (const format of ["mermaid", "dot"] as const)
        expect(outsideQuotes(await renderGraph(format, view(a, b)))).toBe(
          outsideQuotes(await renderGraph(format, view("a", "b"))),
        );
    }),
  );
});

test("every format is text that ends with a newline", async () => {
  for (const format of graphFormats)
    expect((await renderGraph(format, sample)).at(-1)).toBe("\n");
});
