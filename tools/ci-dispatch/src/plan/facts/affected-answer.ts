import { Failure } from "@skein/reporting";
import { isRecord } from "@skein/reporting/is-record";

/** The answer of `affected list --json` (version 1), with the members that a plan needs. */
export interface AffectedAnswer {
  readonly base: string | null;
  readonly head: string | null;
  /** The script that `affected` was asked about; null for any. */
  readonly script: string | null;
  /** The root package's name. */
  readonly root: string;
  readonly packages: readonly AffectedPackage[];
  /** Affected packages that evidence removes; absent without any. */
  readonly leftOut?: readonly AffectedPackage[] | undefined;
  /** Descriptions of what `affected` could not determine. */
  readonly unknown: readonly string[];
}

interface AffectedPackage {
  readonly name: string;
  readonly dir: string;
  /** The reason as text. */
  readonly why: string;
}

/**
 * Parses the answer of `affected`.
 * @param file the source of the text, for errors
 * @throws {Failure} if it isn't version 1
 */
export function parseAffected(text: string, file: string): AffectedAnswer {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw refuse(file, (error as SyntaxError).message);
  }
  if (!isRecord(value) || value["version"] !== 1)
    throw refuse(file, "it has no `version: 1`");
  const { packages, root, leftOut } = value;
  if (!Array.isArray(packages) || typeof root !== "string")
    throw refuse(file, "it has no list of packages");
  return {
    base: commitOf(value["base"]),
    head: commitOf(value["head"]),
    script: textOrNull(value["script"]),
    root,
    packages: packages.map((each: unknown) => readPackage(each, file)),
    ...(Array.isArray(leftOut) && {
      leftOut: leftOut.map((each: unknown) => readPackage(each, file)),
    }),
    unknown: Array.isArray(value["unknown"])
      ? value["unknown"].map((each: unknown) =>
          isRecord(each) && typeof each["detail"] === "string"
            ? each["detail"]
            : JSON.stringify(each),
        )
      : [],
  };
}

function readPackage(value: unknown, file: string): AffectedPackage {
  if (
    !isRecord(value) ||
    typeof value["name"] !== "string" ||
    typeof value["dir"] !== "string"
  )
    throw refuse(file, "one of its packages has no name or no folder");
  const { name, dir, reasons } = value;
  const list: readonly unknown[] = Array.isArray(reasons) ? reasons : [];
  return { name, dir, why: wordsOf(list[0]) };
}

/** Describes a reason briefly: its kind, and the path, package or field that is its evidence. */
function wordsOf(reason: unknown): string {
  if (!isRecord(reason) || typeof reason["kind"] !== "string")
    return "asked for";
  const evidence = ["path", "on", "field", "detail", "role"]
    .map((name) => reason[name])
    .find((each) => typeof each === "string");
  const kind = reason["kind"].replaceAll("-", " ");
  return evidence === undefined ? kind : `${kind} ${evidence}`;
}

function refuse(file: string, why: string): Failure {
  return new Failure(`this is not output of \`affected list --json\`: ${why}`, {
    place: { file },
    hint: "create it with `affected list --json`; only version 1 is supported",
  });
}

/** Returns the full id of a revision's commit; null without one. */
function commitOf(revision: unknown): string | null {
  return isRecord(revision) ? textOrNull(revision["commit"]) : null;
}

function textOrNull(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}
