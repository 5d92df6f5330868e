import type { GraphEdge, GraphNode, GraphView } from "./graph-view.js";

function node(name: string, dir: string, facts: Partial<GraphNode> = {}) {
  return {
    name,
    dir,
    affected: (facts.reasons ?? []).length > 0,
    reasons: [],
    tags: [],
    owners: [],
    ...facts,
  };
}

/** A small workspace with a change, and names that try to break out of their context. */
export const sample: GraphView = {
  title: 'Acme </title><script>alert("title")</script>',
  base: "main",
  head: "HEAD",
  nodes: [
    node("root", "."),
    node("@acme/core", "packages/core", {
      changed: true,
      reasons: ["packages/core/src/index.ts was modified"],
      owners: ["@acme/platform"],
    }),
    node("@acme/ui", "packages/ui", {
      reasons: ["depends on @acme/core (workspace:^)"],
      tags: ["design"],
    }),
    node("@acme/web", "apps/web", {
      reasons: ["depends on @acme/ui (workspace:^)"],
      tags: ["app"],
    }),
    node("@acme/docs", "docs"),
    node("</script><script>alert(1)</script>", "a/<b>\"'`"),
    node("\u2028$&<!-- script -->\u2029\\\"'\n%%;end", "quotes"),
  ],
  edges: [
    { from: "@acme/ui", to: "@acme/core", kind: "dependencies" },
    { from: "@acme/web", to: "@acme/ui", kind: "dependencies" },
    { from: "@acme/web", to: "@acme/core", kind: "devDependencies" },
    {
      from: "@acme/docs",
      to: "</script><script>alert(1)</script>",
      kind: "peerDependencies",
    },
    {
      from: "</script><script>alert(1)</script>",
      to: "\u2028$&<!-- script -->\u2029\\\"'\n%%;end",
      kind: "source",
    },
  ],
};

/**
 * Returns a layered workspace of any size. Packages have four dependencies each in the layers below, and a tenth are
 * affected. It is the same on every run.
 */
export function layered(size: number): GraphView {
  const layers = 12;
  const nodes = Array.from({ length: size }, (_, index) =>
    node(`@scope-${index % 9}/package-number-${index}`, `packages/p${index}`, {
      reasons:
        index % 10 === 3
          ? [`packages/p${index}/src/index.ts was modified`]
          : [],
    }),
  );
  const perLayer = Math.ceil(size / layers);
  const edges = nodes.flatMap(({ name }, index): GraphEdge[] => {
    const below = Math.floor(index / perLayer) * perLayer;
    if (below === 0) return [];
    return [1, 7, 31, 101, 211].map((step) => ({
      from: name,
      to: nodes[(index * 13 + step * 17) % below]?.name ?? "",
      kind: "dependencies" as const,
    }));
  });
  return {
    title: `${size} packages`,
    base: "main",
    head: "HEAD",
    nodes,
    edges,
  };
}
