import { ExitCode, Failure, nearest, printable } from "@skein/reporting";
import { readRecord, recordedMigrations, type StoredRecord } from "./record.js";
import type { MigrationRecord } from "./record-format.js";
import type { TargetFacts } from "../survey/target.js";

/**
 * Finds the record of a migration by the name of any of its packages, that name without a scope, or a folder.
 * @throws {Failure} if there is none, or more than one
 */
export async function findRecord(
  target: TargetFacts,
  wanted: string,
): Promise<StoredRecord> {
  const names = recordedMigrations(target.refs);
  const records = await Promise.all(
    names.map((name) => readRecord(target.git, name)),
  );
  const whole = records.filter((stored) => stored !== undefined);
  const folder = wanted.replace(/\/+$/, "");
  // The first kind of name with a match decides, so a migration's own name is never ambiguous.
  const kinds: readonly ((record: MigrationRecord) => boolean)[] = [
    ({ name }) => name === wanted,
    (record) =>
      packagesOf(record).includes(wanted) ||
      record.placements.some(({ to }) => to === folder),
    (record) => packagesOf(record).some((name) => name.endsWith(`/${wanted}`)),
  ];
  const found =
    kinds
      .map((isMeant) => whole.filter(({ record }) => isMeant(record)))
      .find((some) => some.length > 0) ?? [];
  const [only, second] = found;
  if (only && !second) return only;
  if (only)
    throw new Failure(
      `"${printable(wanted)}" could be ${found.map(({ record }) => record.name).join(" or ")}`,
      { exitCode: ExitCode.Usage, hint: "give the whole name" },
    );
  const near = nearest(
    wanted,
    whole.flatMap(({ record }) => packagesOf(record)),
    1,
  );
  throw new Failure(
    `there is no record of a migration "${printable(wanted)}"`,
    {
      exitCode: ExitCode.Usage,
      hint:
        names.length > 0
          ? `migrated: ${names.join(", ")}${near.map((one) => `; did you mean ${one}?`).join("")}`
          : "in a clone, fetch the records first: git fetch origin 'refs/migrate/*:refs/migrate/*'",
    },
  );
}

function packagesOf(record: MigrationRecord): readonly string[] {
  const { name, names = [], nested = [] } = record;
  return [name, ...names, ...nested];
}
