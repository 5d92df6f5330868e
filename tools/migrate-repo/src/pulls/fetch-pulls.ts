import { resolveCommit } from "@skein/git";
import type { SourceAddress } from "../migration.js";
import type { Quarantine } from "../quarantine/quarantine.js";
import { SourceError } from "../survey/announcement.js";
import { fetchRefs, SOURCE_REFS } from "../survey/fetch-source.js";
import type { OpenPull } from "./pull.js";

/** A fetched head, or git's error message. */
export type FetchedHead =
  | { readonly kind: "commit"; readonly id: string }
  | { readonly kind: "unreadable"; readonly output: string };

/**
 * Fetches the heads of pull requests, and checks the objects. Anybody may open a pull request, so a bad one must not
 * block the others: if git rejects an object, they are fetched one by one.
 * @returns the heads by number, without pull requests that have no ref
 */
export async function fetchPulls(
  quarantine: Quarantine,
  address: SourceAddress,
  pulls: readonly OpenPull[],
): Promise<ReadonlyMap<number, FetchedHead>> {
  const wanted = pulls.flatMap(({ number, ref }) =>
    ref === undefined
      ? []
      : [{ number, spec: `+${ref}:${SOURCE_REFS}/pull/${number}` }],
  );
  const refused = new Map<number, string>();
  if (wanted.length > 0)
    try {
      await fetchRefs(
        quarantine,
        address,
        wanted.map(({ spec }) => spec),
      );
    } catch (error) {
      if (!(error instanceof SourceError)) throw error;
      for (const { number, spec } of wanted)
        await fetchRefs(quarantine, address, [spec]).catch((one: unknown) => {
          if (!(one instanceof SourceError)) throw one;
          refused.set(number, one.gitMessage);
        });
    }
  const heads = new Map<number, FetchedHead>();
  for (const { number } of wanted) {
    const output = refused.get(number);
    if (output !== undefined) {
      heads.set(number, { kind: "unreadable", output });
      continue;
    }
    const ref = `${SOURCE_REFS}/pull/${number}`;
    const id = await resolveCommit(quarantine.git, ref);
    heads.set(number, { kind: "commit", id });
  }
  return heads;
}
