import type { FileCoverageData } from "istanbul-lib-coverage";

/**
 * Returns coverage in the format of lcov: https://manpages.debian.org/stable/lcov/geninfo.1.en.html#FILES. Pure. It has
 * the same records as istanbul's report `lcovonly`.
 * @param lines the hits of a file's lines by number, as istanbul counts them
 */
export function lcovOf(
  files: readonly {
    readonly data: FileCoverageData;
    readonly lines: Readonly<Record<number, number>>;
  }[],
): string {
  return files
    .flatMap(({ data, lines }) => [
      "TN:",
      `SF:${oneLine(data.path)}`,
      ...functionsOf(data),
      ...linesOf(lines),
      ...branchesOf(data),
      "end_of_record",
      "",
    ])
    .join("\n");
}

function functionsOf({ fnMap, f }: FileCoverageData): readonly string[] {
  const functions = Object.entries(fnMap).map(([key, { name, decl }]) => ({
    name: oneLine(name),
    line: decl.start.line,
    hits: f[key] ?? 0,
  }));
  return [
    ...functions.map(({ name, line }) => `FN:${line},${name}`),
    ...foundAndHit(
      "FN",
      functions.map(({ hits }) => hits),
    ),
    ...functions.map(({ name, hits }) => `FNDA:${hits},${name}`),
  ];
}

function linesOf(lines: Readonly<Record<number, number>>): readonly string[] {
  const hits = Object.entries(lines);
  return [
    ...hits.map(([line, count]) => `DA:${line},${count}`),
    ...foundAndHit(
      "L",
      hits.map(([, count]) => count),
    ),
  ];
}

function branchesOf({ branchMap, b }: FileCoverageData): readonly string[] {
  const branches = Object.entries(branchMap).flatMap(([key, { loc }]) =>
    (b[key] ?? []).map((hits, arm) => ({
      line: loc.start.line,
      key,
      arm,
      hits,
    })),
  );
  return [
    ...branches.map(
      ({ line, key, arm, hits }) => `BRDA:${line},${key},${arm},${hits}`,
    ),
    ...foundAndHit(
      "BR",
      branches.map(({ hits }) => hits),
    ),
  ];
}

function foundAndHit(what: string, hits: readonly number[]): readonly string[] {
  return [
    `${what}F:${hits.length}`,
    `${what}H:${hits.filter((count) => count > 0).length}`,
  ];
}

/** Returns a name in one line, since the names of files and functions are a pull request's. */
function oneLine(name: string): string {
  return name.replaceAll(/[\r\n]+/g, " ");
}
