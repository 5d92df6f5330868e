import { expect, test } from "@jest/globals";
import { escapeHtml, escapeXml, xmlAttributes } from "./markup.js";

test("characters that end a text or a quoted attribute are escaped in HTML", () => {
  expect(escapeHtml(`<a title="x">it's & so on</a>`)).toBe(
    "&lt;a title=&quot;x&quot;&gt;it&#39;s &amp; so on&lt;/a&gt;",
  );
});

test("characters that XML forbids are shown as text, and line ends are preserved", () => {
  expect(escapeXml("a\u0000b\ud800c\u001bd\r\n<e>")).toBe(
    "a\ufffdb\ufffdc\ufffdd&#13;\n&lt;e&gt;",
  );
});

test("attributes are read as they were written; undefined ones are skipped", () => {
  expect(xmlAttributes({ name: "a\n\tb", line: undefined, tests: 2 })).toBe(
    ' name="a&#10;&#9;b" tests="2"',
  );
});
