import { expect, test } from "@jest/globals";
import { parseSync } from "oxc-parser";
import { scanSource } from "./source.js";

test("a file of which the parser makes something broken is searched for quoted words", () => {
  const { references, unparsed } = scanSource(
    "a.jsx",
    'import("m"); <\\u{2F804} />',
    parseSync,
  );
  expect(references).toEqual([
    { kind: "import", specifier: "m", line: 1, column: 8 },
  ]);
  expect(unparsed).toMatch(/^Bad Unicode escape in JSON/);
});

test("places are lines and UTF-16 columns of the specifier's first character", () => {
  const text = `\r\nconst é = "𝒳"; import "m";\r\n  export {\r\n} from "./n";`;
  expect(
    scanSource("a.ts", text, parseSync).references.map(({ line, column }) =>
      text.split("\n")[line - 1]?.slice(column - 1),
    ),
  ).toEqual([`m";\r`, `./n";`]);
});
