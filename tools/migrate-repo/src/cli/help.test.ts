import { expect, test } from "@jest/globals";
import { displayWidth } from "@skein/reporting";
import { helpOfEachVerb } from "@skein/testing";
import { parseCli } from "../cli.js";

const helps = [...helpOfEachVerb(parseCli)];

test("every verb has a help", () => {
  expect(helps.length).toBeGreaterThan(10);
});

test.each(helps)("the help of %j fits 80 columns", (_verb, help) => {
  expect(help.split("\n").filter((line) => displayWidth(line) > 80)).toEqual(
    [],
  );
});

test.each(helps)("the help of %j lists exit codes", (_verb, help) => {
  expect(help).toMatch(/\n\nExit codes:\n {2}0 {2}/);
});

test.each(helps)(
  "the help of %j has headings if it has many options",
  (_verb, help) => {
    const options = help.match(/^ {2}-/gm) ?? [];
    if (options.length > 10) expect(help).not.toContain("\nOptions:\n");
  },
);
