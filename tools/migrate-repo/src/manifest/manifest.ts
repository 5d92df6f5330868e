import { existsSync } from "node:fs";
import { resolve } from "node:path";
import {
  Failure,
  nearest,
  printable,
  readRegularText,
  usageFailure,
} from "@skein/reporting";
import { isRecord } from "@skein/reporting/is-record";
import { defaultRequest, MIB } from "../default-request.js";
import type { MigrationRequest } from "../migration.js";
import { FIELDS, type FieldKind } from "./fields.js";
import {
  ManifestSyntaxError,
  readManifestText,
  type ManifestSource,
} from "./manifest-source.js";

/** The desired state of many repositories: JSON or YAML, described by `schemas/migrations.schema.json`. */
export interface Manifest {
  readonly repositories: readonly MigrationRequest[];
}

/** The path of a part: `["repositories", 0, "to"]`. */
export type Path = (string | number)[];

/** The default names of a manifest. */
const PLACES = ["migrations.json", "migrations.yaml", "migrations.yml"];

/**
 * Reads a manifest.
 * @param given the path as it was typed; default: `migrations.json`, `.yaml` or `.yml`, whichever exists
 * @throws {Failure} with file, line and field
 */
export async function readManifest(
  cwd: string,
  given: string | undefined,
): Promise<Manifest> {
  const file = given ?? placeIn(cwd);
  const text = await readRegularText(resolve(cwd, file)).catch(() => {
    throw usageFailure(`there is no manifest ${printable(file)}`, {
      hint: 'write one: {"version": 1, "repositories": [{"source": "acme/lib", "to": "packages/lib"}]}',
    });
  });
  return parseManifest(text, file);
}

/** Returns whether a manifest with a default name exists. */
export function isManifestIn(cwd: string): boolean {
  return PLACES.some((place) => existsSync(resolve(cwd, place)));
}

function placeIn(cwd: string): string {
  const found = PLACES.filter((place) => existsSync(resolve(cwd, place)));
  const [first = "migrations.json", second] = found;
  if (second === undefined) return first;
  throw usageFailure(`there are two manifests: ${found.join(" and ")}`, {
    hint: `name it: migrate-repo apply ${second}`,
  });
}

/** Parses a manifest. @param file its name, for messages and to recognise YAML @throws {Failure} */
export async function parseManifest(
  text: string,
  file: string,
): Promise<Manifest> {
  const source = await readManifestText(text, file).catch((error: unknown) => {
    if (!(error instanceof ManifestSyntaxError)) throw error;
    throw usageFailure(error.message, {
      place: { file, line: error.line },
      hint: "docs/migrating.md has an example",
    });
  });
  return new FieldReader(source, file).read();
}

/** Reads the fields of a manifest. Its errors name the line. */
class FieldReader {
  readonly #source: ManifestSource;
  readonly #file: string;

  constructor(source: ManifestSource, file: string) {
    this.#source = source;
    this.#file = file;
  }

  /** @throws {Failure} */
  read(): Manifest {
    const { value: top } = this.#source;
    if (!isRecord(top)) throw this.#fail([], "it must be an object");
    for (const key of Object.keys(top))
      this.#known([], key, ["$schema", "version", "defaults", "repositories"]);
    const { $schema, version, defaults = {}, repositories } = top;
    if ($schema !== undefined && typeof $schema !== "string")
      throw this.#fail(["$schema"], '"$schema" must be a string');
    if (version !== 1) throw this.#fail(["version"], 'it needs "version": 1');
    if (!isRecord(defaults))
      throw this.#fail(["defaults"], '"defaults" must be an object');
    this.#check(["defaults"], defaults);
    if (!Array.isArray(repositories))
      throw this.#fail(["repositories"], 'it needs "repositories", a list');
    return {
      repositories: repositories.map((entry: unknown, index) =>
        this.#request(["repositories", index], entry, defaults),
      ),
    };
  }

  #request(
    path: Path,
    entry: unknown,
    defaults: Readonly<Record<string, unknown>>,
  ): MigrationRequest {
    const { source, ...own } = isRecord(entry) ? entry : {};
    if (typeof source !== "string")
      throw this.#fail(path, `${nameOf(path)} needs a "source"`);
    this.#check(path, own);
    const fields = { ...defaults, ...own } as Partial<MigrationRequest>;
    const base = defaultRequest(source);
    return {
      ...base,
      ...fields,
      maxFileSize:
        fields.maxFileSize === undefined
          ? base.maxFileSize
          : fields.maxFileSize * MIB,
    };
  }

  /** Checks the names and the values of fields. */
  #check(path: Path, fields: Readonly<Record<string, unknown>>): void {
    for (const [key, value] of Object.entries(fields)) {
      this.#known(path, key, Object.keys(FIELDS));
      const kind = (FIELDS as Record<string, FieldKind>)[key];
      if (kind?.fits(value) === false)
        throw this.#fail(
          [...path, key],
          `${nameOf([...path, key])} must be ${kind.words}`,
        );
    }
  }

  #known(path: Path, key: string, all: readonly string[]): void {
    if (all.includes(key)) return;
    const [near] = nearest(key, all, 1);
    throw this.#fail(
      [...path, key],
      `${nameOf(path)} has an unknown field "${printable(key)}"`,
      near === undefined
        ? `allowed there: ${all.join(", ")}`
        : `did you mean "${near}"?`,
    );
  }

  #fail(
    path: Path,
    sentence: string,
    hint = "docs/migrating.md describes every field",
  ): Failure {
    const place = { file: this.#file, line: this.#source.lineOf(path) };
    return usageFailure(sentence, { place, hint });
  }
}

/** Returns `repositories[0].to`; "it" for the whole manifest. */
function nameOf(path: Path): string {
  if (path.length === 0) return "it";
  return path
    .map((part) => (typeof part === "number" ? `[${part}]` : `.${part}`))
    .join("")
    .slice(1);
}
