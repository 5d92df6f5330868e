import { expect, test } from "@jest/globals";
import { readFileSync } from "node:fs";
import { Ajv2020 } from "ajv/dist/2020.js";
import formats from "ajv-formats";
import { compareWindows, sidesOfEvents } from "../compare/window-sides.js";
import { parseKeptReport } from "../compare/kept-report.js";
import { seededRandom } from "../statistics/random.js";
import { syntheticWeeks } from "../synthetic/six-weeks.test.kit.js";
import { makeReport } from "./make-report.js";

const ajv = new Ajv2020({ allErrors: true });
formats.default(ajv);
const validate = ajv.compile(
  JSON.parse(
    readFileSync(
      new URL("../../schemas/delivery-report.schema.json", import.meta.url),
      "utf8",
    ),
  ) as object,
);

const { events, truth } = syntheticWeeks({ seed: 3, days: 4, pullsPerDay: 15 });
const options = { asOf: Date.parse(truth.window.to), days: 4 };
const full = {
  ...makeReport(events, options),
  baseline: {
    window: makeReport([], options).window,
    until: "published",
    changes: compareWindows(
      sidesOfEvents(events, { ...options, asOf: options.asOf - 86_400_000 }),
      sidesOfEvents(events, options),
      seededRandom(1),
    ),
  },
};

test.each([
  ["a full report", full],
  ["an empty one", makeReport([], options)],
])("the schema accepts %s, also as JSON", (_, report) => {
  const wire: unknown = JSON.parse(JSON.stringify(report));
  expect(wire).toEqual(report);
  validate(wire);
  expect(validate.errors ?? []).toEqual([]);
  expect(parseKeptReport(wire)).toMatchObject({
    builds: { n: report.builds.n },
  });
});

test("the schema refuses other data", () => {
  for (const wrong of [
    { ...full, version: 2 },
    { ...full, more: 1 },
    { ...full, builds: { n: 1 } },
    { ...full, window: { from: "yesterday", to: "now", days: 1 } },
  ])
    expect(validate(wrong)).toBe(false);
});

test.each([
  [undefined],
  [null],
  ["report"],
  [{ version: 1 }],
  [{ ...full, version: 2 }],
  [{ ...full, builds: { n: -1 } }],
  [{ ...full, stages: { ...full.stages, draft: "5 min" } }],
])("%p isn't a stored report", (wire) => {
  expect(parseKeptReport(wire)).toBeUndefined();
});
