/** `--json`, as commander takes it. */
export const JSON_EVENTS = [
  "--json",
  "events as JSON lines on standard output, the last one says how it ended",
  false,
] as const;
