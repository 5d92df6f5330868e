import type { Comment } from "oxc-parser";
import type { Collector } from "./positions.js";
import type { ReferenceKind } from "../reference.js";

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
  { form: /@(?:jest|vitest)-environment\s+(\S+)/dg, kind: "config" },
];

/** A string that every text with one of these forms contains. */
export const SPEAKS =
  /import\s*\(|<reference|<amd-dependency|@import\b|@jsxImportSource|@(?:jest|vitest)-environment/;

/** Notes the references of a comment: only forms that a compiler or a test runner reads. */
export function scanComment(comment: Comment, found: Collector): void {
  for (const { form, kind } of FORMS) {
    for (const match of comment.value.matchAll(form)) {
      const place = match.indices?.[1];
      const specifier = match[1];
      if (!place || specifier === undefined) continue;
      // `/// <reference path>` is a path even without a dot before it, as tsc reads it.
      const isPath = form === FORMS[0]?.form && match[0].includes("path");
      // Jest resolves the path of an environment from the package's folder.
      const isEnvironment = kind === "config" && specifier.startsWith(".");
      found.add(
        isPath && !/^[./]/.test(specifier) ? `./${specifier}` : specifier,
        isEnvironment ? "path-string" : kind,
        comment.start + 2 + place[0],
      );
    }
  }
}
