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

/**
 * The style that our pages share: colours for light and dark, which have a contrast of at least 4.5 to 1, headings, and
 * sections as cards.
 */
export const PAGE_STYLE = `
:root {
  color-scheme: light dark;
  --ground: #f4f6f8; --card: #ffffff; --text: #1b1f24; --quiet: #57606a; --edge: #d5dbe1;
  --accent: #0b5fbf; --good: #14692c; --bad: #b3202c;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #0d1117; --card: #161b22; --text: #e6edf3; --quiet: #9aa7b4; --edge: #303842;
    --accent: #6cb2ff; --good: #56d273; --bad: #ff8b8b;
  }
}
* { box-sizing: border-box; }
body {
  margin: 0 auto; padding: 24px 20px 48px; max-width: 1100px; background: var(--ground); color: var(--text);
  font: 15px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif;
  overflow-wrap: anywhere; font-variant-numeric: tabular-nums;
}
h1 { margin: 0; font-size: 22px; line-height: 1.25; }
h2 { margin: 0 0 4px; font-size: 18px; line-height: 1.3; }
a:focus-visible, summary:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; border-radius: 2px; }
summary { cursor: pointer; }
.quiet { color: var(--quiet); }
.good { color: var(--good); }
.bad { color: var(--bad); }
section { margin: 0 0 20px; padding: 16px 20px; background: var(--card); border: 1px solid var(--edge); border-radius: 12px; }
@media (max-width: 640px) { body { padding: 16px 12px 32px; } section { padding: 16px; } }
`;
