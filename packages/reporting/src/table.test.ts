import { expect, test } from "@jest/globals";
import { palette } from "./colour.js";
import { renderTable } from "./table.js";

const columns = [
  { title: "package" },
  { title: "reasons", align: "right" as const },
  { title: "why", shrinks: true },
];
const rows = [
  ["@acme/日本", "12", "packages/ui/src/a-file-with-a-long-name.ts changed"],
  ["@acme/ui", "1", "two\nlines"],
];

test("columns align by what the eye sees, and a cell is one line", () => {
  expect(renderTable(columns, rows)).toBe(
    [
      "package     reasons  why",
      "@acme/日本       12  packages/ui/src/a-file-with-a-long-name.ts changed",
      "@acme/ui          1  two\\nlines",
      "",
    ].join("\n"),
  );
});

test("a narrow terminal cuts only what may shrink", () => {
  expect(renderTable(columns, rows, { width: 40 })).toBe(
    [
      "package     reasons  why",
      "@acme/日本       12  packages/ui/src/a-…",
      "@acme/ui          1  two\\nlines",
      "",
    ].join("\n"),
  );
  expect(renderTable(columns, rows, { width: 5 })).toContain("@acme/日本");
});

test("style stands around the text, not around its padding", () => {
  const { bold, red } = palette(true);
  expect(
    renderTable(
      [{ title: "a", style: red }, { title: "b" }],
      [
        ["x", "y"],
        ["", "z"],
      ],
      {
        heading: bold,
      },
    ),
  ).toBe("\u001b[1ma  b\u001b[22m\n\u001b[31mx\u001b[39m  y\n   z\n");
});

test("without titles there is no heading, and without rows there is nothing", () => {
  expect(renderTable([{}, {}], [["a", "b"], ["ccc"]])).toBe("a    b\nccc\n");
  expect(renderTable([{}], [])).toBe("");
});
