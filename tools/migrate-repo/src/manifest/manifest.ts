import { readFile } from "node:fs/promises";
import { Failure, printable, usageFailure } from "@skein/reporting";
import { defaultRequest } from "../default-request.js";
import type { MigrationRequest } from "../migration.js";

/** The desired state of many repositories: `migrations.json`, described by `migrations.schema.json`. */
export interface Manifest {
  readonly repositories: readonly MigrationRequest[];
}

type FieldKind =
  "string" | "boolean" | "strings" | "number" | readonly string[];

/** Every field of a repository in the manifest; the same words as the options of `add`. */
const FIELDS: Readonly<
  Record<Exclude<keyof MigrationRequest, "source">, FieldKind>
> = {
  to: "string",
  name: "string",
  ref: "string",
  history: ["graft", "move", "squash"],
  only: "strings",
  branches: "strings",
  tags: ["reachable", "all", "none"],
  tagFormat: "string",
  qualifyRefs: "string",
  trailer: "boolean",
  keepOriginals: "boolean",
  allow: "strings",
  maxFileSize: "number",
  skip: "strings",
  versions: ["conform", "keep", "highest"],
  install: "boolean",
  register: "boolean",
  run: "strings",
  prs: "boolean",
  transplant: "boolean",
  github: "string",
};

/** Reads a manifest. @throws {Failure} naming the file and the field */
export async function readManifest(file: string): Promise<Manifest> {
  const text = await readFile(file, "utf8").catch(() => {
    throw usageFailure(`There is no manifest ${printable(file)}.`, {
      hint: 'Write one: {"version": 1, "repositories": [{"source": "acme/lib", "to": "packages/lib"}]}',
    });
  });
  return parseManifest(text, file);
}

/** @param file its name, for the words @throws {Failure} */
export function parseManifest(text: string, file: string): Manifest {
  const fail = (sentence: string): Failure =>
    usageFailure(sentence, {
      place: { file },
      hint: "docs/migrating.md describes every field.",
    });
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    throw fail(`It is no JSON: ${(error as Error).message}`);
  }
  if (!isObject(json) || json["version"] !== 1)
    throw fail('It needs "version": 1.');
  const { defaults = {}, repositories } = json;
  if (!Array.isArray(repositories) || !isObject(defaults))
    throw fail(
      'It needs "repositories", a list, and "defaults", if any, is an object.',
    );
  const unknown = Object.keys(json).find(
    (key) => !["$schema", "version", "defaults", "repositories"].includes(key),
  );
  if (unknown !== undefined)
    throw fail(`It has an unknown field "${printable(unknown)}".`);
  return {
    repositories: repositories.map((entry: unknown, index) => {
      const at = `repositories[${index}]`;
      if (!isObject(entry) || typeof entry["source"] !== "string")
        throw fail(`${at} needs a "source".`);
      const { source, ...rest } = entry;
      const fields = { ...defaults, ...rest };
      for (const [key, value] of Object.entries(fields)) {
        const kind = (FIELDS as Record<string, FieldKind | undefined>)[key];
        if (kind === undefined)
          throw fail(`${at} has an unknown field "${printable(key)}".`);
        if (!fits(value, kind))
          throw fail(
            `${at}.${key} must be ${typeof kind === "string" ? `a ${kind === "strings" ? "list of strings" : kind}` : `one of ${kind.join(", ")}`}.`,
          );
      }
      return { ...defaultRequest(source), ...fields };
    }),
  };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function fits(value: unknown, kind: FieldKind): boolean {
  if (kind === "strings")
    return (
      Array.isArray(value) && value.every((one) => typeof one === "string")
    );
  return typeof kind === "string"
    ? typeof value === kind
    : kind.some((one) => one === value);
}
