import { identOf, rangeOf } from "./lockfile.js";

/** An entry of the root manifest's `resolutions`: `chalk/ansi-styles@npm:^4: 4.2.0`. */
export interface ResolutionRule {
  /** The dependent that it is limited to, with its reference. */
  readonly from?: { readonly ident: string; readonly reference?: string };
  readonly ident: string;
  /** The range that it is limited to. */
  readonly range?: string;
  /** The range that replaces it, with `npm:` if it has no protocol. */
  readonly to: string;
}

/** Parses `resolutions`. A pattern in a form that Yarn doesn't support becomes a rule for its last ident. */
export function parseResolutions(
  resolutions: Readonly<Record<string, string>>,
): ResolutionRule[] {
  return Object.entries(resolutions).map(([pattern, to]) => {
    const parts = splitPattern(pattern.replace(/^\*\*\//, ""));
    const last = parts.at(-1) ?? pattern;
    const from = parts.length > 1 ? parts.at(-2) : undefined;
    return {
      ...(from !== undefined && {
        from: {
          ident: identOf(from),
          ...(rangeOf(from) !== "" && { reference: rangeOf(from) }),
        },
      }),
      ident: identOf(last),
      ...(rangeOf(last) !== "" && { range: withProtocol(rangeOf(last)) }),
      to: withProtocol(to),
    };
  });
}

/** Returns `npm:^1.0.0` for `^1.0.0`. A range with a protocol stays the same. */
export function withProtocol(range: string): string {
  return /^[a-z]+:/i.test(range) ? range : `npm:${range}`;
}

/** Splits `@s/a@1/b` at slashes outside of scopes: `@s/a@1`, `b`. */
function splitPattern(pattern: string): string[] {
  const parts: string[] = [];
  for (const word of pattern.split("/")) {
    const previous = parts.at(-1);
    if (previous !== undefined && /^@[^/]*$/.test(previous))
      parts[parts.length - 1] = `${previous}/${word}`;
    else parts.push(word);
  }
  return parts;
}
