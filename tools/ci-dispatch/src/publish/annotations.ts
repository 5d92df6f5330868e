import type { Annotation } from "@skein/github";
import type { Verdict } from "../verdict.js";

/** GitHub rejects a longer title. */
const TITLE = 255;
const MESSAGE = 60_000;
/**
 * This takes ten of the 1,000 requests per hour that all runs of a repository share:
 * https://docs.github.com/rest/using-the-rest-api/rate-limits-for-the-rest-api
 */
const MOST = 500;

/**
 * Returns an annotation for each of the first 500 failed tests, at its file and line. A flake's
 * annotation is a warning. Pure.
 */
export function annotationsOf({ units }: Verdict): readonly Annotation[] {
  const all = units.flatMap((unit) =>
    unit.failedTests.flatMap(({ file, line, name, message }) => {
      const path = unit.dir === "." ? file : `${unit.dir}/${file}`;
      // A path that leads out of the repository belongs to no file.
      if (path.startsWith("/") || path.split("/").includes("..")) return [];
      return [
        {
          path,
          line: line ?? 1,
          level:
            unit.state === "failed"
              ? ("failure" as const)
              : ("warning" as const),
          title: `${unit.state}: ${name}`.slice(0, TITLE),
          message: (message === "" ? name : message).slice(0, MESSAGE),
        },
      ];
    }),
  );
  return all.slice(0, MOST);
}
