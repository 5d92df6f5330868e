import { openObjects, type Git } from "@skein/git";
import type { TagPlan } from "../migration.js";
import { personLine } from "./commit-object.js";
import type { PackWriter } from "../objects/pack-writer.js";

/** A tag in the quarantine, ready for the target. */
export interface MadeTag {
  readonly plan: TagPlan;
  /** The new tag object, or the new commit of a lightweight tag. */
  readonly id: string;
}

export interface MadeTags {
  readonly made: readonly MadeTag[];
  /** Tags whose commit has no new commit. */
  readonly left: readonly TagPlan[];
  /** The number of signatures that were removed. */
  readonly signatures: number;
}

/** The first line of a signature in a tag's message: OpenPGP, SSH, X.509. */
const SIGNATURE = /^-----BEGIN (?:PGP|SSH|SIGNED) [A-Z ]+-----$/m;

/**
 * Makes the tags of a rewritten history. A lightweight tag is the new commit. An annotated tag is a new object with the
 * same tagger, date and message, but without the signature, which would be wrong.
 * @param pack receives the tag objects; the caller finishes it
 * @param newCommit returns the new commit of an old one
 */
export async function makeTags(
  git: Git,
  pack: PackWriter,
  plans: readonly TagPlan[],
  newCommit: (old: string) => string | undefined,
): Promise<MadeTags> {
  const placed = plans.flatMap((plan) => {
    const commit = newCommit(plan.commit);
    return commit === undefined ? [] : [{ plan, commit }];
  });
  const left = plans.filter(({ commit }) => newCommit(commit) === undefined);
  const light = placed
    .filter(({ plan }) => !plan.annotated)
    .map(({ plan, commit }) => ({ plan, id: commit }));
  const annotated = placed.filter(({ plan }) => plan.annotated);
  let signatures = 0;
  const anew: MadeTag[] = [];
  if (annotated.length > 0) {
    using objects = openObjects(git);
    for (const { plan, commit } of annotated) {
      const object = await objects.read(plan.id);
      if (object?.type !== "tag")
        throw new Error(`${plan.from} isn't a tag object`);
      const { tagger, message, signed } = parseTag(object.content);
      if (signed) signatures += 1;
      const name = plan.to.replace(/^refs\/tags\//, "");
      const content = Buffer.concat([
        Buffer.from(`object ${commit}\ntype commit\ntag ${name}\n`),
        ...(tagger
          ? [Buffer.from("tagger "), personLine(tagger).line, NEWLINE]
          : []),
        NEWLINE,
        message,
      ]);
      anew.push({ plan, id: pack.add("tag", content) });
      await pack.flush();
    }
  }
  return { made: [...light, ...anew], left, signatures };
}

const NEWLINE = Buffer.from("\n");

function parseTag(content: Buffer): {
  readonly tagger: Buffer | undefined;
  readonly message: Buffer;
  readonly signed: boolean;
} {
  const text = content.toString("latin1");
  const blank = text.indexOf("\n\n");
  const headers = blank < 0 ? text : text.slice(0, blank);
  const body = blank < 0 ? "" : text.slice(blank + 2);
  const tagger = /^tagger (.*)$/m.exec(headers)?.[1];
  const signature = body.search(SIGNATURE);
  return {
    tagger: tagger === undefined ? undefined : Buffer.from(tagger, "latin1"),
    message: Buffer.from(
      signature < 0 ? body : body.slice(0, signature),
      "latin1",
    ),
    signed: signature >= 0,
  };
}
