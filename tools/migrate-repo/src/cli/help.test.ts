import { expect, test } from "@jest/globals";
import { displayWidth } from "@skein/reporting";
import { faultsOfHelp, helpOfEachVerb } from "@skein/testing";
import { parseCli } from "../cli.js";

const helps = [...helpOfEachVerb(parseCli)];

test("every verb has a help", () => {
  expect(helps.length).toBeGreaterThan(10);
});

test.each(helps)(
  "the help of %j fits 80 columns, lists exit codes, and groups many options",
  (_verb, help) => {
    expect(faultsOfHelp(help, displayWidth)).toEqual([]);
  },
);
