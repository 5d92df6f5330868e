import { expect, test } from "@jest/globals";
import * as json from "./json.js";

const job = json.object({
  id: json.matching(/^\w+$/, "the id isn't a word"),
  state: json.orNull(json.oneOf(["good", "bad"])),
  turn: json.ordinal(3),
  ms: json.orNothing(json.number),
  note: json.optional(json.text),
  files: json.byName(json.whole),
});
const document = json.object({
  version: json.version(1),
  ok: json.boolean,
  jobs: json.list(job),
  why: json.union({ none: {}, due: { to: json.text } }),
  rest: json.anything,
});

const JOB = { id: "a", state: null, turn: 1, files: { x: 1 } };
const VALID = { version: 1, ok: true, jobs: [JOB], why: { kind: "none" } };
const read = (value: unknown) =>
  json.parse(JSON.stringify(value), document, "plan");

test("a value has the members of its declaration, and no others", () => {
  const why = { kind: "due", to: "time" };
  const [first] = read({ ...VALID, more: 1, why }).jobs;
  expect(first).toStrictEqual({ ...JOB, ms: null });
  expect(read({ ...VALID, why })).toStrictEqual({
    ...VALID,
    why,
    jobs: [first],
  });
});

test.each([
  [[], "plan isn't an object"],
  [null, "plan isn't an object"],
  [{ ...VALID, version: 2 }, "plan.version is not 1"],
  [{ ...VALID, ok: 1 }, "plan.ok isn't true or false"],
  [{ ...VALID, jobs: {} }, "plan.jobs isn't a list"],
  [{ ...VALID, jobs: [JOB, []] }, "plan.jobs[1] isn't an object"],
  [{ ...VALID, jobs: [{ ...JOB, id: "-" }] }, "the id isn't a word"],
  [
    { ...VALID, jobs: [{ ...JOB, state: "ugly" }] },
    "plan.jobs[0].state isn't good or bad",
  ],
  [
    { ...VALID, jobs: [{ ...JOB, state: undefined }] },
    "plan.jobs[0].state isn't good or bad",
  ],
  [
    { ...VALID, jobs: [{ ...JOB, turn: 4 }] },
    "plan.jobs[0].turn isn't a whole number from 1 to 3",
  ],
  [{ ...VALID, jobs: [{ ...JOB, ms: "1" }] }, "plan.jobs[0].ms isn't a number"],
  [
    { ...VALID, jobs: [{ ...JOB, note: null }] },
    "plan.jobs[0].note isn't text",
  ],
  [
    { ...VALID, jobs: [{ ...JOB, files: { x: -1 } }] },
    "plan.jobs[0].files.x isn't a whole number",
  ],
  [{ ...VALID, why: { kind: "due" } }, "plan.why.to isn't text"],
  [{ ...VALID, why: { kind: "new" } }, "plan.why.kind isn't none or due"],
])("%j is refused: %s", (value, message) => {
  expect(() => read(value)).toThrow(new json.Malformed(message));
});

test("text that isn't JSON is malformed", () => {
  expect(() => json.parse("{", document, "plan")).toThrow(json.Malformed);
});

test("members that an object inherits don't count", () => {
  expect(() => json.object({ toString: json.text })({}, "it")).toThrow(
    "it.toString isn't text",
  );
});
