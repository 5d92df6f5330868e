import { setInJson } from "@skein/reporting/json-edit";
import { manifestOf, type Member } from "@skein/versions";
import type { Draft } from "../tree/draft.js";

/** A range to write into a manifest. */
export interface RangeEdit {
  readonly member: Pick<Member, "dir">;
  readonly field: string;
  readonly ident: string;
  readonly to: string;
}

/** Writes ranges, each manifest once; the rest of its text doesn't change. */
export async function writeRanges(
  draft: Draft,
  edits: readonly RangeEdit[],
): Promise<void> {
  for (const dir of new Set(edits.map(({ member }) => member.dir))) {
    const own = edits.filter(({ member }) => member.dir === dir);
    const path = manifestOf(dir);
    const bytes = await draft.read(path);
    if (!bytes) continue;
    const text = own.reduce(
      (before, { field, ident, to }) => setInJson(before, [field, ident], to),
      bytes.toString("utf8"),
    );
    await draft.write(path, text);
  }
}
