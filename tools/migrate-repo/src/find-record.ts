import { ExitCode, Failure, nearest, printable } from "@skein/reporting";
import { readRecord, recordedMigrations, type StoredRecord } from "./record.js";
import type { TargetFacts } from "./survey/target.js";

/**
 * Finds the record of a migration by the package's name, its name without a scope, or its folder.
 * @throws {Failure} when there is none, or more than one
 */
export async function findRecord(
  target: TargetFacts,
  wanted: string,
): Promise<StoredRecord> {
  const names = recordedMigrations(target.refs);
  const records = await Promise.all(
    names.map((name) => readRecord(target.git, name)),
  );
  const found = records
    .filter((stored) => stored !== undefined)
    .filter(({ record }) => {
      const folders = record.placements.map(({ to }) => to);
      return (
        record.name === wanted ||
        record.name.endsWith(`/${wanted}`) ||
        folders.includes(wanted.replace(/\/+$/, ""))
      );
    });
  const [only, second] = found;
  if (only && !second) return only;
  if (only)
    throw new Failure(
      `"${printable(wanted)}" could be ${found.map(({ record }) => record.name).join(" or ")}.`,
      { exitCode: ExitCode.Usage, hint: "Give the whole name." },
    );
  const near = nearest(wanted, names, 1);
  throw new Failure(
    `There is no record of a migration "${printable(wanted)}".`,
    {
      exitCode: ExitCode.Usage,
      hint:
        names.length > 0
          ? `Migrated: ${names.join(", ")}.${near.map((one) => ` Did you mean ${one}?`).join("")}`
          : "In a clone, fetch the records first: git fetch origin 'refs/migrate/*:refs/migrate/*'",
    },
  );
}
