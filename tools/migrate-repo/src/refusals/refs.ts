import { printable } from "@skein/reporting";
import {
  quote,
  type ProblemOf,
  type Texts,
  type WordsByCode,
} from "../words/problem-words.js";

/** The words of each refusal. */
export const REFS = {
  "bad-ref-name": ({ ref }: { ref: string }) => ({
    sentence: `${quote(ref)} is not a valid ref name`,
    hint: "change --tag-format, or skip tags with --tags none",
  }),
  "ref-exists": ({ ref, from }: Texts<"ref" | "from">) => ({
    sentence: `${quote(ref)} already exists; ${printable(from)} of the source would overwrite it`,
    hint: "rename the new tags with --tag-format '{name}/{tag}', or skip them with --tags none",
  }),
  "refs-collide": ({ ref, one, other }: Texts<"ref" | "one" | "other">) => ({
    sentence: `${printable(one)} and ${printable(other)} would both become ${quote(ref)}`,
    hint: "keep them apart with --tag-format '{name}@{tag}', or skip tags with --tags none",
  }),
  "ref-conflict": ({ ref, other }: Texts<"ref" | "other">) => ({
    sentence: `${quote(ref)} cannot exist next to ${quote(other)}: one would be both a folder and a file`,
    hint: "change --tag-format, or skip branches and tags",
  }),
} satisfies WordsByCode;

/** Refusals of the new names of tags and branches. */
export type RefRefusal = ProblemOf<typeof REFS>;

/** A ref to create, and its source. */
export interface NewRef {
  readonly from: string;
  readonly to: string;
}

/**
 * Finds refs that git would reject or overwrite, before git runs: invalid names, existing names, names that two sources
 * want, and names that need a folder in place of another ref's file (`a` and `a/b`).
 */
export function refRefusals(
  wanted: readonly NewRef[],
  existing: ReadonlyMap<string, string>,
): readonly RefRefusal[] {
  const refusals: RefRefusal[] = [];
  /** The owner of each name. Existing refs own their names. */
  const owners = new Map([...existing.keys()].map((ref) => [ref, ref]));
  /** The folders above the names, each with a ref in it. */
  const folders = new Map<string, string>();
  for (const ref of existing.keys()) addFolders(folders, ref);
  for (const { from, to } of wanted) {
    const owner = owners.get(to);
    const other =
      folders.get(to) ?? parentsOf(to).find((parent) => owners.has(parent));
    if (!isRefName(to)) refusals.push({ code: "bad-ref-name", ref: to });
    else if (existing.has(to))
      refusals.push({ code: "ref-exists", ref: to, from });
    else if (owner !== undefined)
      refusals.push({
        code: "refs-collide",
        ref: to,
        one: owner,
        other: from,
      });
    else if (other !== undefined)
      refusals.push({ code: "ref-conflict", ref: to, other });
    owners.set(to, from);
    addFolders(folders, to);
  }
  return refusals;
}

function addFolders(folders: Map<string, string>, ref: string): void {
  for (const parent of parentsOf(ref)) folders.set(parent, ref);
}

/** Returns the names above a ref: `refs/tags/a/b` -> `refs/tags/a`. */
function parentsOf(ref: string): readonly string[] {
  const parts = ref.split("/");
  return parts.slice(3).map((_, index) => parts.slice(0, index + 3).join("/"));
}

/** Returns whether a name follows the rules of git-check-ref-format(1). */
export function isRefName(ref: string): boolean {
  return (
    !/[\p{Cc} ~^:?*[\\]|\.\.|@\{|\/\/|\.$|\/$/u.test(ref) &&
    ref
      .split("/")
      .every(
        (part) =>
          part !== "" && !part.startsWith(".") && !part.endsWith(".lock"),
      )
  );
}
