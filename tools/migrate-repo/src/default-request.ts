import type { MigrationRequest } from "./migration.js";

/** Bytes in a MiB. */
export const MIB = 1024 * 1024;

/** The default limit, in MiB like the option: a gibibyte, because a larger file in a history is rarely deliberate. */
export const MAX_FILE_SIZE_MIB = 1024;

/** Returns a request with every default filled in. */
export function defaultRequest(source: string): MigrationRequest {
  return {
    source,
    to: undefined,
    name: undefined,
    ref: undefined,
    history: "graft",
    only: [],
    branches: [],
    tags: "reachable",
    tagFormat: "{name}@{version}",
    qualifyRefs: undefined,
    trailer: false,
    keepOriginals: true,
    allow: [],
    maxFileSize: MAX_FILE_SIZE_MIB * MIB,
    skip: [],
    versions: "conform",
    install: true,
    register: true,
    run: [],
    prs: false,
    transplant: false,
    github: undefined,
  };
}
