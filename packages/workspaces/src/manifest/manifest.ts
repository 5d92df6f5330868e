import { isRecord } from "@skein/reporting/is-record";
import { findJsonError, nestsDeeper } from "../json-error.js";

/** The fields of a manifest that contain dependencies. Cached projects contain their indices (KEPT_VERSION). */
export const DEPENDENCY_FIELDS = [
  "dependencies",
  "devDependencies",
  "optionalDependencies",
  "peerDependencies",
] as const;
export type DependencyField = (typeof DEPENDENCY_FIELDS)[number];

/** A dependency of a manifest. */
export interface Dependency {
  readonly ident: string;
  readonly range: string;
  readonly field: DependencyField;
  /** A peer that `peerDependenciesMeta` marks as optional. */
  readonly isOptional?: true;
}

/** The parts of a package.json that Skein uses. */
export interface Manifest {
  readonly name: string | undefined;
  readonly dependencies: readonly Dependency[];
  /** The globs of nested workspaces; empty if there are none. */
  readonly workspaces: readonly string[];
  readonly resolutions: Readonly<Record<string, string>>;
  readonly scripts: Readonly<Record<string, string>>;
  /** The whole parsed file, for comparing it field by field. */
  readonly fields: Readonly<Record<string, unknown>>;
}

/** An error for a package.json that isn't a JSON object, with the place and the parser's message. */
export class ManifestError extends Error {
  override readonly name = "ManifestError";
  readonly file: string;
  /** 1-based. */
  readonly line: number;
  readonly detail: string;

  constructor(file: string, line: number, detail: string) {
    super(`${file}:${line}: ${detail}`);
    this.file = file;
    this.line = line;
    this.detail = detail;
  }
}

/**
 * Parses a package.json.
 * @param file its name for the error: a path, with the commit if it isn't in the working tree
 * @throws {ManifestError} if it isn't a JSON object
 */
export function parseManifest(text: string, file: string): Manifest {
  const fields = parseObject(text, file);
  const name = fields["name"];
  return {
    name: typeof name === "string" && name !== "" ? name : undefined,
    dependencies: DEPENDENCY_FIELDS.flatMap((field) =>
      Object.entries(rangesOf(fields, field)).map(([ident, range]) => ({
        ident,
        range,
        field,
        ...(isOptionalPeer(fields, field, ident) && { isOptional: true }),
      })),
    ),
    workspaces: workspaceGlobs(fields["workspaces"]),
    resolutions: strings(fields["resolutions"]),
    scripts: withoutComments(strings(fields["scripts"])),
    fields,
  };
}

/**
 * Returns the ranges of a field. Yarn treats a name that is only in `peerDependenciesMeta` as a peer of any version too
 * (`normalizePackage`).
 */
function rangesOf(
  fields: Readonly<Record<string, unknown>>,
  field: DependencyField,
): Record<string, string> {
  const ranges = strings(fields[field]);
  const meta = fields["peerDependenciesMeta"];
  if (field !== "peerDependencies" || !isRecord(meta)) return ranges;
  const any = Object.keys(meta).map((ident) => [ident, "*"] as const);
  return { ...Object.fromEntries<string>(any), ...ranges };
}

function isOptionalPeer(
  fields: Readonly<Record<string, unknown>>,
  field: DependencyField,
  ident: string,
): boolean {
  const meta = fields["peerDependenciesMeta"];
  if (field !== "peerDependencies" || !isRecord(meta)) return false;
  const ofPeer = Object.hasOwn(meta, ident) ? meta[ident] : undefined;
  return isRecord(ofPeer) && ofPeer["optional"] === true;
}

function parseObject(text: string, file: string): Record<string, unknown> {
  const json = text.replace(/^\uFEFF/, "");
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    const { line, detail } = findJsonError(json);
    throw new ManifestError(file, line, detail);
  }
  if (!isRecord(value))
    throw new ManifestError(file, 1, "a package.json is a JSON object");
  if (nestsDeeper(json, DEEPEST))
    throw new ManifestError(file, 1, "it is nested too deeply");
  return value;
}

/** The maximum depth, because recursive functions compare fields. A handwritten manifest has some ten levels. */
const DEEPEST = 500;

/**
 * Checks the root's `workspaces`. Yarn ignores any value except a list, and then no package would ever be affected.
 * @throws {ManifestError} for a value of another form
 */
export function assertWorkspaceGlobs({ fields }: Manifest, file: string): void {
  const value = fields["workspaces"];
  if (value === undefined || value === null) return;
  const list = isRecord(value) ? (value["packages"] ?? []) : value;
  if (Array.isArray(list) && list.every((glob) => typeof glob === "string"))
    return;
  throw new ManifestError(
    file,
    1,
    '"workspaces" must be a list of globs, or an object with the list "packages"',
  );
}

/** Returns `workspaces` in the forms that Yarn supports: a list, or an object with `packages`. */
export function workspaceGlobs(value: unknown): string[] {
  const list = isRecord(value) ? value["packages"] : value;
  return Array.isArray(list)
    ? list.filter((glob) => typeof glob === "string")
    : [];
}

/** Returns scripts without those that are comments: `"//": "Nx runs these tasks."`. */
function withoutComments(
  scripts: Record<string, string>,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(scripts).filter(([name]) => !name.startsWith("//")),
  );
}

function strings(value: unknown): Record<string, string> {
  if (!isRecord(value)) return {};
  return Object.fromEntries(
    Object.entries(value).filter(
      (pair): pair is [string, string] => typeof pair[1] === "string",
    ),
  );
}
