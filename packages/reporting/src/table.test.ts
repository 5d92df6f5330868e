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

test("columns are aligned by visible width, and a cell is one line", () => {
  expect(renderTable(columns, rows)).toBe(
    [
      "package     reasons  why",
      "@acme/日本       12  packages/ui/src/a-file-with-a-long-name.ts changed",
      "@acme/ui          1  two\\nlines",
      "",
    ].join("\n"),
  );
});

test("a narrow terminal cuts only columns that may shrink", () => {
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

test("in a terminal, a long text in the last column continues below it", () => {
  const { red } = palette(true);
  expect(
    renderTable(
      [{ title: "package" }, { title: "why", style: red }],
      [
        ["@acme/日本", "packages/ui/src/button.ts was changed by `git mv a b`"],
        ["@acme/ui", "short"],
      ],
      { width: 40 },
    ),
  ).toBe(
    [
      "package     why",
      `@acme/日本  ${red("packages/ui/src/button.ts")}`,
      `            ${red("was changed by `git mv a b`")}`,
      `@acme/ui    ${red("short")}`,
      "",
    ].join("\n"),
  );
});

test("a style applies to the text, not to its padding", () => {
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

test("a table without titles has no heading, and one without rows is empty", () => {
  expect(renderTable([{}, {}], [["a", "b"], ["ccc"]])).toBe("a    b\nccc\n");
  expect(renderTable([{}], [])).toBe("");
});
