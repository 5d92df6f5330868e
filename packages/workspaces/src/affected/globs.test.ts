import { expect, test } from "@jest/globals";
import picomatch from "picomatch";
import { defaultSettings } from "../settings/settings.js";
import { compiledGlobs, compileGlobs } from "./globs.js";

test("the globs of the default settings are compiled as picomatch does it, and all of them are", () => {
  const { documentation, tests } = defaultSettings.affected;
  expect([...compiledGlobs]).toEqual(
    [...documentation, ...tests].map((glob) => [
      glob,
      picomatch.makeRe(glob, { dot: true }),
    ]),
  );
});

test("a path that is written like its glob matches, and so do files that begin with a dot", () => {
  const matches = compileGlobs(["docs/**", "a[b].js"]);
  const paths = ["docs/**", "docs", "docs/.x/y", "a[b].js", "ab.js", "", "src"];
  const expected = picomatch(["docs/**", "a[b].js"], { dot: true });
  expect(paths.filter(matches)).toEqual(paths.filter((path) => expected(path)));
});
