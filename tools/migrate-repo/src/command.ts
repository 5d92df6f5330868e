import type { MigrationRequest } from "./migration.js";

/** What was typed, with everything that has a default filled in. */
export type Command =
  | {
      readonly kind: "add";
      readonly request: MigrationRequest;
      readonly dryRun: boolean;
      readonly json: boolean;
    }
  | { readonly kind: "continue" }
  | { readonly kind: "abort" };
