/** The measured scenarios, in the order of the table. */
export const SCENARIOS = [
  "cold",
  "cold, with the server",
  "replayed from disk",
  "replayed from the server",
  "one leaf changed",
  "one in the middle changed",
] as const;
export type Scenario = (typeof SCENARIOS)[number];
