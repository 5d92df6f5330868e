import type { Comment } from "oxc-parser";
import { addSetting } from "../add-setting.js";
import type { Collector } from "../positions.js";
import type { ReferenceKind } from "../../reference.js";

const FORMS: readonly {
  readonly form: RegExp;
  readonly kind: ReferenceKind;
}[] = [
  // TypeScript's directives: `/// <reference path="…" />`.
  {
    form: /^\/\s*<(?:reference|amd-dependency)\s[^>]*?\b(?:path|types)\s*=\s*["']([^"']+)["']/dg,
    kind: "type",
  },
  // JSDoc types: `@type {import("…")}`.
  { form: /\bimport\s*\(\s*["']([^"'\n]+)["']/dg, kind: "type" },
  { form: /@jsxImportSource\s+(\S+)/dg, kind: "import" },
  // JSDoc's own import: `@import { T } from "…"`.
  { form: /@import\s[^"'@]*\bfrom\s*["']([^"'\n]+)["']/dg, kind: "type" },
  { form: /@jest-config-loader\s+(\S+)/dg, kind: "config" },
];

/** The environment of a test. A short name means the same as in the settings. */
const ENVIRONMENTS = [
  [/@jest-environment\s+(\S+)/dg, "testEnvironment"],
  [/@vitest-environment\s+(\S+)/dg, "environment"],
] as const;

/** A string that every text with one of these forms contains. */
export const COMMENT_MARK =
  /import\s*\(|<reference|<amd-dependency|@import\b|@jsxImportSource|@(?:jest|vitest)-environment|@jest-config-loader/;

/** Notes the references of a comment: only forms that a compiler or a test runner reads. */
export function scanComment(comment: Comment, found: Collector): void {
  for (const { form, kind } of FORMS) {
    for (const match of comment.value.matchAll(form)) {
      const place = match.indices?.[1];
      const specifier = match[1];
      if (!place || specifier === undefined) continue;
      // `/// <reference path>` is a path even without a dot before it, as tsc reads it.
      const isPath = form === FORMS[0]?.form && match[0].includes("path");
      found.add(
        isPath && !/^[./]/.test(specifier) ? `./${specifier}` : specifier,
        kind,
        comment.start + 2 + place[0],
      );
      // An AMD module, which may be a package.
      if (match[0].includes("<amd-"))
        found.add(specifier, kind, comment.start + 2 + place[0]);
    }
  }
  for (const [form, field] of ENVIRONMENTS)
    for (const match of comment.value.matchAll(form)) {
      const [, specifier = ""] = match;
      const offset = comment.start + 2 + (match.indices?.[1]?.[0] ?? 0);
      // Jest resolves a path from the package's folder.
      if (specifier.startsWith("."))
        found.add(specifier, "path-string", offset);
      else addSetting(field, { text: specifier, offset }, found);
    }
}
