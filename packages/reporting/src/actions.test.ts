import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import { anyText } from "@skein/testing/any-text";
import fc from "fast-check";
import { appendOutputs, appendSummary } from "./actions-files.js";
import { inertLog, outputEntry, workflowCommand } from "./actions.js";

test.each([
  [workflowCommand("endgroup"), "::endgroup::\n"],
  [workflowCommand("group", "a\nb"), "::group::a%0Ab\n"],
  [
    workflowCommand("error", "100%\r\n::set-env name=A::b"),
    "::error::100%25%0D%0A::set-env name=A::b\n",
  ],
  [
    workflowCommand("warning", "x", {
      file: "a,b:c%\n.ts",
      line: 3,
      title: undefined,
    }),
    "::warning file=a%2Cb%3Ac%25%0A.ts,line=3::x\n",
  ],
])("command %#", (written, expected) => {
  expect(written).toBe(expected);
});

test("a command with any text is one line", () => {
  fc.assert(
    fc.property(anyText(), anyText(), (a, b) => {
      const line = workflowCommand("error", a, { file: b });
      expect(line.slice(0, -1)).not.toMatch(/[\r\n]/);
      expect(line.split("::")[1]).toMatch(/^error file=[^,:]*$/);
    }),
  );
});

test("a line of a log can't become a command", () => {
  expect(
    inertLog("ok\n::add-path::/evil\n  ::warning::x\n##[error]y\na::b\n"),
  ).toBe(
    "ok\n\u200b::add-path::/evil\n  \u200b::warning::x\n\u200b##[error]y\na::b\n",
  );
  expect(
    inertLog("section_start:1:x\na section_end:1:x\n+++ open\n--- a\n---\n"),
  ).toBe(
    "\u200bsection_start:1:x\na section_end:1:x\n\u200b+++ open\n\u200b--- a\n---\n",
  );
});

test("the text of an output stays in its entry", () => {
  expect(outputEntry("plan", "a\nb=c", "E0F")).toBe("plan<<E0F\na\nb=c\nE0F\n");
  expect(() => outputEntry("plan", "x\nE0F\nevil=1", "E0F")).toThrow(
    new RangeError("the value of output plan holds its delimiter"),
  );
  expect(() => outputEntry("a<<b", "", "E0F")).toThrow(
    new RangeError('not a name of an output: "a<<b"'),
  );
});

test("outputs and summaries are added only to the files of the step", async () => {
  const dir = mkdtempSync(join(tmpdir(), "skein-"));
  try {
    const env = {
      GITHUB_OUTPUT: join(dir, "out"),
      GITHUB_STEP_SUMMARY: join(dir, "sum"),
    };
    expect(await appendOutputs(env, { a: "1", b: "2" }, "D")).toBe(true);
    expect(await appendOutputs(env, { c: "3" }, "D")).toBe(true);
    expect(await appendSummary(env, () => "# one")).toBe(true);
    expect(await appendSummary(env, () => "two\n")).toBe(true);
    expect(readFileSync(env.GITHUB_OUTPUT, "utf8")).toBe(
      "a<<D\n1\nD\nb<<D\n2\nD\nc<<D\n3\nD\n",
    );
    expect(readFileSync(env.GITHUB_STEP_SUMMARY, "utf8")).toBe("# one\ntwo\n");
    expect(await appendOutputs({}, { a: "1" }, "D")).toBe(false);
    const unasked = () => {
      throw new Error("nobody reads it");
    };
    expect(await appendSummary({ GITHUB_STEP_SUMMARY: "" }, unasked)).toBe(
      false,
    );
  } finally {
    rmSync(dir, { recursive: true });
  }
});
