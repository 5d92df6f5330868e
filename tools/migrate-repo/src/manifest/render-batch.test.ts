import { expect, test } from "@jest/globals";
import type { StepNote } from "../steps/step.js";
import { notesOf } from "./batch-notes.js";
import { renderBatch } from "./render-batch.js";

const output = (...notes: readonly StepNote[]) => ({
  plan: { id: "x", what: [], why: "" },
  notes,
});

const landed: Parameters<typeof notesOf>[0] = {
  scripts: undefined,
  pulls: undefined,
  pullsFailure: undefined,
  built: {
    cleanUp: [
      output({ kind: "follow-up", topic: "ci", text: "ci.yml (test) ran: x." }),
      output({ kind: "done", text: "it must not be readable" }),
    ],
    registration: [
      output(
        { kind: "done", topic: "versions", text: "a 1 -> 2." },
        { kind: "follow-up", topic: "versions", text: "b keeps 1 (debt)." },
        { kind: "warning", text: "a peer <does> not fit." },
      ),
      output(
        { kind: "done", topic: "phantoms", text: "Declared: c." },
        { kind: "follow-up", text: "the version of d is unknown." },
      ),
    ],
  },
};

test("solved, declared and lost items are counted; remaining work is a follow-up", () => {
  const row = {
    source: "acme/lib",
    name: "@acme/lib",
    state: "migrated" as const,
    figures: {
      commits: 9,
      merges: 0,
      authors: 3,
      signatures: 0,
      pruned: 0,
      mended: 0,
      qualified: 0,
    },
    tags: 4,
    took: 1500,
    size: 2048,
    notes: notesOf(landed),
  };
  // A zero-width character follows each @, so that GitHub notifies no one.
  const markdown = renderBatch([row], "markdown").replaceAll("\u200b", "");
  expect(markdown).toBe(`# Migration of 1 repository

| Repository | Package | State | Commits | Authors | Tags | Time | Size added | Version conflicts solved | Phantom dependencies declared | CI jobs lost | Follow-ups |
| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |
| acme/lib | @acme/lib | migrated | 9 | 3 | 4 | 1\\.5 s | 2\\.0 KiB | 2 | 1 | 1 | 2 |

## acme/lib

Version conflicts solved:

- a 1 -\\> 2.
- b keeps 1 (debt).

Phantom dependencies declared:

- Declared: c.

CI jobs lost:

- ci.yml (test) ran: x.

Follow-ups:

- a peer \\<does\\> not fit.
- the version of d is unknown.
`);
  const html = renderBatch([row], "html", [], "Made on <Monday>");
  const cells = [...html.matchAll(/<td [^>]*>(.*?)<\/td>/g)].map(
    ([, cell]) => cell,
  );
  expect(cells.join("|")).toBe(
    'acme/lib|@acme/lib|<span class="state good">✓ migrated</span>|9|3|4|1.5 s|2.0 KiB|2|1|1|2',
  );
  expect(html).toContain(
    '<p class="quiet"><span class="state good">✓ 1 migrated</span></p>',
  );
  expect(html).toContain('<p class="quiet">Made on &lt;Monday&gt;</p>');
  expect(html).toContain("<li>a peer &lt;does&gt; not fit.</li>");
  // Screen readers list headings by level, so no level may be missing.
  const levels = [...html.matchAll(/<h(\d)>/g)].map(([, level]) => level);
  expect(levels.join("")).toMatch(/^1(23+)*2?$/);
  const blocked = renderBatch(
    [
      {
        source: "acme/bad",
        name: "bad",
        state: "blocked",
        notes: [{ topic: "blocked", text: "it has <no> package.json" }],
      },
    ],
    "html",
  );
  expect(blocked).toContain(
    '<td data-label="State" colspan="1"><span class="state bad">✗ blocked</span> it has &lt;no&gt; package.json</td>',
  );
});
