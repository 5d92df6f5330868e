import { PERMISSIONS, type MigrationRequest } from "../migration.js";

/** The kinds of values that a field of the manifest accepts. */
export type FieldKind =
  | "string"
  | "boolean"
  | "strings"
  /** A number above 0. */
  | "MiB"
  | { readonly oneOf: readonly string[] }
  | { readonly someOf: readonly string[] };

/** Every field of a repository in the manifest. The fields have the names of the options of `add`. */
export const FIELDS: Readonly<
  Record<Exclude<keyof MigrationRequest, "source">, FieldKind>
> = {
  to: "string",
  name: "string",
  ref: "string",
  history: { oneOf: ["graft", "move", "squash"] },
  only: "strings",
  branches: "strings",
  tags: { oneOf: ["reachable", "all", "none"] },
  tagFormat: "string",
  qualifyRefs: "string",
  trailer: "boolean",
  keepOriginals: "boolean",
  allow: { someOf: PERMISSIONS },
  maxFileSize: "MiB",
  skip: "strings",
  versions: { oneOf: ["conform", "keep", "highest"] },
  install: "boolean",
  register: "boolean",
  run: "strings",
  prs: "boolean",
  transplant: "boolean",
  github: "string",
};

/** Returns whether a value is of a kind. */
export function fits(value: unknown, kind: FieldKind): boolean {
  if (typeof kind === "object")
    return "oneOf" in kind
      ? kind.oneOf.some((one) => one === value)
      : isList(value) &&
          value.every((one) => kind.someOf.some((known) => known === one));
  switch (kind) {
    case "strings":
      return isList(value) && value.every((one) => typeof one === "string");
    case "MiB":
      return typeof value === "number" && value > 0;
    case "string":
    case "boolean":
      return typeof value === kind;
  }
}

/** Returns the kind of value that a field must have, in words. */
export function kindWords(kind: FieldKind): string {
  if (typeof kind === "object")
    return "oneOf" in kind
      ? `one of ${kind.oneOf.join(", ")}`
      : `a list of ${kind.someOf.join(", ")}`;
  switch (kind) {
    case "strings":
      return "a list of strings";
    case "MiB":
      return "a number of MiB above 0";
    case "string":
      return "a string";
    case "boolean":
      return "true or false";
  }
}

function isList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value);
}
