/** The arguments of commander's `option` for `--json`. */
export const JSON_EVENTS = [
  "--json",
  "events as JSON lines on standard output, the last one says how it ended",
  false,
] as const;
