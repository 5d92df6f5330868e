import { isDeepStrictEqual } from "node:util";
import { printable } from "@skein/reporting";
import type { MigrationRequest } from "../migration.js";
import { placementsOf } from "../names/names.js";
import { isAuto } from "../survey/inner-packages.js";
import { RECORDED, type MigrationRecord } from "../record/record-format.js";
import type { FIELDS } from "./fields.js";

type Field = keyof typeof FIELDS;
type Value = string | boolean | readonly string[] | undefined;

/**
 * Returns differences between a manifest and the migration that was made. `apply` doesn't repeat a migration, so people
 * must see them. Fields that older records lack are skipped.
 * @returns a sentence for each field
 */
export function declaredOtherwise(
  request: MigrationRequest,
  record: MigrationRecord,
): readonly string[] {
  const folders = (all: MigrationRecord["placements"]) =>
    all.map(({ to }) => to);
  const pairs: Partial<Record<Field, readonly [Value, Value]>> = {
    to: [
      isAuto(request)
        ? folders(record.placements)
        : folders(placementsOf(request.only, request.to, record.name)),
      folders(record.placements),
    ],
    ref: [request.ref ?? record.branch, record.branch],
    ...Object.fromEntries(
      RECORDED.map((field) => [field, [request[field], record[field]]]),
    ),
    skip: [request.skip, record.skip ?? request.skip],
    versions: [request.versions, record.versions ?? request.versions],
  };
  return Object.entries(pairs)
    .filter(([, [wanted, made]]) => !isDeepStrictEqual(wanted, made))
    .map(
      ([field, [wanted, made]]) =>
        `differs from the migration: ${field} ${show(wanted)}, it was ${show(made)}`,
    );
}

function show(value: Value): string {
  if (value === undefined) return "nothing";
  if (typeof value !== "object") return printable(String(value));
  return value.length === 0 ? "nothing" : value.map(printable).join(", ");
}
