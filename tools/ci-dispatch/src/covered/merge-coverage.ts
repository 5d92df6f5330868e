import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import coverageLibrary from "istanbul-lib-coverage";
import type { CoverageMapData } from "istanbul-lib-coverage";
import { readPlainBytes } from "../plain-file.js";
import type { Plan } from "../plan.js";
import type { Found } from "../verdict/read-attestations.js";
import { lcovOf } from "./lcov.js";

/** The maximum size of all files together, unpacked. That of a large workspace has some ten megabytes. */
const MOST_BYTES = 512 * 1024 * 1024;

/** The coverage of all jobs. */
export interface MergedCoverage {
  /** A coverage map of istanbul. Paths are relative to the workspace. */
  readonly json: string;
  readonly lcov: string;
  /** The share of covered lines in percent; null without lines. */
  readonly percent: number | null;
  /** Units whose coverage the plan expects, since others of the same script have one, and that have none. */
  readonly lacking: readonly string[];
  /** Files that could not be read, with the reason. */
  readonly unread: readonly { readonly file: string; readonly why: string }[];
}

/**
 * Merges the coverage that the jobs of a plan attest. All attempts count: what one has executed is covered. The files
 * come from jobs that ran code of a pull request, so an unreadable one is reported and skipped.
 * @param folder the folder of the attestations
 * @param found the attestations that count for the plan
 * @returns undefined if no unit has coverage
 */
export async function mergeCoverage(
  plan: Plan,
  folder: string,
  found: readonly Found[],
): Promise<MergedCoverage | undefined> {
  const map = coverageLibrary.createCoverageMap({});
  const covered = new Set<string>();
  const unread: { file: string; why: string }[] = [];
  let left = MOST_BYTES;
  for (const { file: attested, attestation } of found)
    for (const { id, coverage = [] } of attestation.units)
      for (const name of coverage) {
        const file = join(dirname(attested), name);
        try {
          const bytes = await unpacked(join(folder, file), left);
          left -= bytes.length;
          map.merge(checked(JSON.parse(bytes.toString("utf8"))));
          covered.add(id);
        } catch (error) {
          unread.push({ file, why: (error as Error).message });
        }
      }
  if (covered.size === 0 && unread.length === 0) return undefined;
  const files = map.files().sort();
  const { pct, total } = map.getCoverageSummary().lines;
  return {
    json: `${JSON.stringify(map)}\n`,
    lcov: lcovOf(
      files.map((file) => {
        const own = map.fileCoverageFor(file);
        return { data: own.data, lines: own.getLineCoverage() };
      }),
    ),
    percent: total === 0 ? null : pct,
    lacking: lackingIn(plan, covered),
    unread,
  };
}

const unzip = promisify(gunzip);

async function unpacked(file: string, mostBytes: number): Promise<Buffer> {
  const packed = await readPlainBytes(file, mostBytes);
  return unzip(packed, { maxOutputLength: Math.max(1, mostBytes) });
}

/**
 * Checks that a value is a coverage map: that reports can be made of each of its files.
 * @throws {TypeError} if it isn't
 */
function checked(value: unknown): CoverageMapData {
  const map = (value ?? {}) as CoverageMapData;
  try {
    for (const [path, file] of Object.entries(map)) {
      const own = coverageLibrary.createFileCoverage(file);
      own.toSummary();
      lcovOf([{ data: own.data, lines: own.getLineCoverage() }]);
      if (own.path !== path) throw new TypeError("another path");
    }
  } catch (cause) {
    throw new TypeError("it isn't a coverage map", { cause });
  }
  return map;
}

/** Returns the shards without coverage of scripts that have one in other shards. */
function lackingIn(
  { jobs }: Plan,
  covered: ReadonlySet<string>,
): readonly string[] {
  const units = jobs.flatMap((job) => job.units);
  const wholes = new Set(
    units.filter(({ id }) => covered.has(id)).map(({ whole }) => whole),
  );
  return units
    .filter(({ id, whole }) => wholes.has(whole) && !covered.has(id))
    .map(({ id }) => id);
}
