import type { MigrationRequest } from "./migration.js";

/** A parsed command line, with defaults filled in. */
export type Command = Typed & {
  /** Whether the output is for a program. */
  readonly json: boolean;
};

type Typed =
  | {
      readonly kind: "add";
      readonly request: MigrationRequest;
      readonly dryRun: boolean;
    }
  | {
      readonly kind: "sync";
      readonly name: string;
      /** The source's new branch and address, if they differ from the record's. */
      readonly ref: string | undefined;
      readonly source: string | undefined;
      readonly dryRun: boolean;
      readonly allowSecrets: boolean;
      readonly allowLfs: boolean;
      readonly prs: boolean;
      readonly transplant: boolean;
      readonly github: string | undefined;
    }
  | { readonly kind: "verify"; readonly name: string }
  | { readonly kind: "finish"; readonly name: string }
  | { readonly kind: "undo"; readonly name: string }
  | {
      readonly kind: "manifest";
      readonly mode: "plan" | "apply" | "status";
      /** Undefined for a manifest with a default name. */
      readonly file: string | undefined;
      readonly report: string | undefined;
      readonly concurrency: number;
    }
  | {
      readonly kind: "versions";
      readonly mode: "check" | "align";
      readonly dryRun: boolean;
      readonly majors: boolean;
    }
  | { readonly kind: "continue" }
  | { readonly kind: "abort" };
