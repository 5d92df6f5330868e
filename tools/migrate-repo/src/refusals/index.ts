import { ExitCode } from "@skein/reporting";
import { explain, type Words } from "../words/problem-words.js";
import { CONTENT, type ContentRefusal } from "./content.js";
import { DESTINATION, type DestinationRefusal } from "./destination.js";
import { REFS, type RefRefusal } from "./refs.js";
import { REQUEST, type RequestRefusal } from "./request.js";
import { SOURCE, type SourceRefusal } from "./source.js";
import { TARGET, type TargetRefusal } from "./target.js";

/**
 * A reason against a migration. Each group has a file with its codes, their words and hints, and the checks. A new
 * refusal changes only that file.
 */
export type Refusal =
  | TargetRefusal
  | RequestRefusal
  | SourceRefusal
  | DestinationRefusal
  | ContentRefusal
  | RefRefusal;

/** The reasons against a migration, in place of a result. */
export interface Refused {
  readonly kind: "refused";
  readonly refusals: readonly Refusal[];
}

/** Returns the result of a request that is refused. */
export function refused(...refusals: readonly Refusal[]): Refused {
  return { kind: "refused", refusals };
}

const REFUSALS = {
  ...TARGET,
  ...REQUEST,
  ...SOURCE,
  ...DESTINATION,
  ...CONTENT,
  ...REFS,
};

/** Returns a refusal in words. */
export function explainRefusal(refusal: Refusal): Words {
  return explain(REFUSALS, refusal);
}

const USAGE: readonly Refusal["code"][] = [
  "source-is-option",
  "source-control-characters",
  "source-query",
  "source-transport",
  "source-unclear",
  "source-is-target",
  "bad-destination",
  "bad-only",
  "bad-name",
  "bad-qualifier",
  "destinations-overlap",
  "no-such-branch",
  "unknown-step",
  "run-needs-install",
  "transplant-needs-graft",
  "no-github",
];

/** Returns 2 if the command is wrong, and 3 if its environment isn't ready. */
export function exitCodeOf(
  refusals: readonly Refusal[],
): typeof ExitCode.Usage | typeof ExitCode.Unfinished {
  return refusals.every(({ code }) => USAGE.includes(code))
    ? ExitCode.Usage
    : ExitCode.Unfinished;
}
