import { expect, test } from "@jest/globals";
import { lifecycleNotes } from "./lifecycle.js";

test.each([
  [{ prepare: "tsc" }, "npm@10.0.0", true],
  [{ prepare: "tsc" }, "yarn@1.22.22", true],
  [{ prepare: "tsc" }, "yarn@4.5.0", false],
  [{ prepare: "tsc" }, undefined, true],
  [{ prepublish: "tsc" }, undefined, true],
  [{ postinstall: "tsc", prepack: "tsc", build: "tsc" }, undefined, false],
  [undefined, undefined, false],
])(
  "%j, installed in the source by %s: reported %s",
  (scripts, packageManager, isTold) => {
    const manifest = { name: "lib", scripts, packageManager };
    const notes = lifecycleNotes(
      manifest,
      "packages/lib/package.json",
      undefined,
    );
    expect(notes).toHaveLength(isTold ? 1 : 0);
  },
);

test("the note lists the scripts that ran, those that no longer run, and the command to run", () => {
  const scripts = { prepare: "npm run build" };
  expect(
    lifecycleNotes({ name: "lib", scripts }, "lib/package.json", "@acme/lib"),
  ).toEqual([
    {
      kind: "follow-up",
      text: 'lib/package.json: npm ran prepare ("npm run build") after each install and before it packed; Yarn does not for a workspace. Run it after `yarn install`, before build and tests: yarn workspace @acme/lib run prepare. To run it automatically, call it from "postinstall" of the root\'s package.json, and from "prepack" of this one if its output is published.',
    },
  ]);
});
