import { PERMISSIONS, type MigrationRequest } from "../migration.js";

/** The values that a field of the manifest accepts. */
export interface FieldKind {
  /** The same for people: `a string`. */
  readonly words: string;
  readonly fits: (value: unknown) => boolean;
}

const string: FieldKind = {
  words: "a string",
  fits: (value) => typeof value === "string",
};
const boolean: FieldKind = {
  words: "true or false",
  fits: (value) => typeof value === "boolean",
};
const strings = listOf(string.fits, "strings");
const mebibytes: FieldKind = {
  words: "a number of MiB above 0",
  fits: (value) => typeof value === "number" && value > 0,
};

function oneOf(...choices: readonly string[]): FieldKind {
  return {
    words: `one of ${choices.join(", ")}`,
    fits: (value) => choices.some((one) => one === value),
  };
}

function listOf(fits: FieldKind["fits"], items: string): FieldKind {
  return {
    words: `a list of ${items}`,
    fits: (value) => Array.isArray(value) && value.every(fits),
  };
}

/** Every field of a repository in the manifest. The fields have the names of the options of `add`. */
export const FIELDS: Readonly<
  Record<Exclude<keyof MigrationRequest, "source">, FieldKind>
> = {
  to: string,
  name: string,
  ref: string,
  history: oneOf("graft", "move", "squash"),
  only: strings,
  branches: strings,
  tags: oneOf("reachable", "all", "none"),
  tagFormat: string,
  qualifyRefs: string,
  trailer: boolean,
  keepOriginals: boolean,
  allow: listOf(oneOf(...PERMISSIONS).fits, PERMISSIONS.join(", ")),
  maxFileSize: mebibytes,
  skip: strings,
  versions: oneOf("conform", "keep", "highest"),
  install: boolean,
  register: boolean,
  run: strings,
  prs: boolean,
  transplant: boolean,
  github: string,
};
