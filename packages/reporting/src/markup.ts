import { createHash } from "node:crypto";

/** Returns the hash by which the policy of a page (Content-Security-Policy) allows one style or script. */
export function policyHash(text: string): string {
  return `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
}

/** Escapes text for HTML, also for a quoted attribute. */
export function escapeHtml(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")
    .replaceAll("'", "&#39;");
}

/**
 * All characters that aren't a Char of XML 1.0 (https://www.w3.org/TR/xml/#charsets). XML doesn't even allow escapes
 * for them.
 */
const NOT_XML = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;

/** Escapes text for an XML element. Characters that XML cannot contain become U+FFFD, so that they are visible. */
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

/** Escapes the value of an attribute, including line ends and tabs, which a parser would otherwise turn into spaces. */
function escapeAttribute(text: string): string {
  return escapeXml(text).replaceAll("\n", "&#10;").replaceAll("\t", "&#9;");
}
