import { expect, test } from "@jest/globals";
import { escapeHtml, escapeXml, xmlAttributes } from "./markup.js";

test("HTML keeps nothing that ends a text or a quoted attribute", () => {
  expect(escapeHtml(`<a title="x">it's & so on</a>`)).toBe(
    "&lt;a title=&quot;x&quot;&gt;it&#39;s &amp; so on&lt;/a&gt;",
  );
});

test("XML shows characters that it cannot hold, and keeps line ends", () => {
  expect(escapeXml("a\u0000b\ud800c\u001bd\r\n<e>")).toBe(
    "a\ufffdb\ufffdc\ufffdd&#13;\n&lt;e&gt;",
  );
});

test("attributes survive a parser's normalization; undefined ones are skipped", () => {
  expect(xmlAttributes({ name: "a\n\tb", line: undefined, tests: 2 })).toBe(
    ' name="a&#10;&#9;b" tests="2"',
  );
});
