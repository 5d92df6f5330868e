/** Returns text that is safe in HTML, also in an attribute between quotes. */
export function escapeHtml(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")
    .replaceAll("'", "&#39;");
}

/** Everything that isn't a Char of XML 1.0 (https://www.w3.org/TR/xml/#charsets); not even an escape may name it. */
const NOT_XML = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;

/** Returns text that is safe in an XML element. Characters that XML cannot hold become U+FFFD, so that they show. */
export function escapeXml(text: string): string {
  return escapeHtml(text.replace(NOT_XML, "\ufffd")).replaceAll("\r", "&#13;");
}

/** Returns attributes of an XML element, each with a space before it. Undefined values are skipped. */
export function xmlAttributes(
  values: Readonly<Record<string, string | number | undefined>>,
): string {
  return Object.entries(values)
    .map(([name, value]) =>
      value === undefined ? "" : ` ${name}="${escapeAttribute(String(value))}"`,
    )
    .join("");
}

/** A parser turns line ends and tabs of an attribute into spaces, unless they are escaped. */
function escapeAttribute(text: string): string {
  return escapeXml(text).replaceAll("\n", "&#10;").replaceAll("\t", "&#9;");
}
