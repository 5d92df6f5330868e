import { identOf, rangeOf } from "./lockfile.js";

/** One entry of the root manifest's `resolutions`: `chalk/ansi-styles@npm:^4: 4.2.0`. */
export interface ResolutionRule {
  /** The dependent it is limited to, and that dependent's reference. */
  readonly from?: { readonly ident: string; readonly reference?: string };
  readonly ident: string;
  /** The range it is limited to. */
  readonly range?: string;
  /** The range it puts in place; `npm:` is added where no protocol stands. */
  readonly to: string;
}

/** Reads `resolutions`. A pattern that has another form than Yarn's is kept as a rule for its last ident. */
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

/** `npm:^1.0.0` for `^1.0.0`; a range that names its protocol stays. */
export function withProtocol(range: string): string {
  return /^[a-z]+:/i.test(range) ? range : `npm:${range}`;
}

/** Cuts `@s/a@1/b` at the slashes that are not inside a scope: `@s/a@1`, `b`. */
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
