/** The arguments of commander's `option` for `--json`. */
export const JSON_EVENTS = [
  "--json",
  "print events as JSON lines; the last one contains the outcome",
  false,
] as const;
