import { join } from "node:path";
import { readKept, writeKept } from "./kept-file.js";
import { readRefState, type RefState } from "../refs-in-files.js";

/** The repository, and the folder of the cache. */
export interface AnswersPlace {
  /** The top folder of a plain clone, absolute. Its `.git` is a folder. */
  readonly root: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** A folder that Skein owns. It may not exist yet. */
  readonly keepIn: string;
  /** The full name of the ref that HEAD is compared with. */
  readonly ref: string;
}

/**
 * A cache of git's answers about HEAD and the ref that it is compared with: their merge base, HEAD's tree, and their
 * differences. The answers depend on the two commits (their ids cover all history), on the ends of the clone's history,
 * and on the repository's own settings. Each run reads these again. An answer that depends on anything else is not
 * cached.
 */
export interface KeptAnswers {
  /** Whether the cache has any answers. If it does, it usually has all. */
  readonly isKept: boolean;
  /** Returns git's cached answer; undefined if git must run. */
  get(question: readonly string[]): Buffer | undefined;
  /** Caches an answer, if the refs have not moved since the cache was opened. */
  put(question: readonly string[], answer: Buffer): void;
  /** Compares our reading of the two refs with the ids that git reported. If they differ, nothing is cached. */
  confirm(head: string | undefined, other: string | undefined): void;
}

/** Variables that don't influence git's answers about commits. Any other variable of git may influence them. */
const HARMLESS =
  /^GIT_(?:ADVICE|ASKPASS|AUTHOR_.*|COMMITTER_.*|CONFIG_GLOBAL|CONFIG_NOSYSTEM|CONFIG_SYSTEM|EDITOR|EXEC_PATH|INDEX_FILE|OPTIONAL_LOCKS|PAGER|PREFIX|REFLOG_ACTION|SEQUENCE_EDITOR|SSH.*|SSL_.*|TERMINAL_PROMPT)$/;

/** The maximum size of all answers, in characters. It excludes changes of more than some thousand files. */
const LARGE = 1_000_000;

/**
 * Opens the cache.
 * @returns undefined if an answer could depend on something that isn't part of the cache's key
 */
export function openAnswers(place: AnswersPlace): KeptAnswers | undefined {
  for (const name of Object.keys(place.env))
    if (name.startsWith("GIT_") && !HARMLESS.test(name)) return undefined;
  const state = stateOf(place);
  if (!state) return undefined;
  const file = join(place.keepIn, "answers.json");
  const answers = new Map(readAnswers(file, state.key));
  let isConfirmed = answers.size > 0;
  return {
    isKept: answers.size > 0,
    get(question) {
      const answer = answers.get(question.join("\0"));
      return answer === undefined ? undefined : Buffer.from(answer, "latin1");
    },
    put(question, answer) {
      answers.set(question.join("\0"), answer.toString("latin1"));
      const body = JSON.stringify({ key: state.key, answers: [...answers] });
      if (!isConfirmed || body.length > LARGE) return;
      if (stateOf(place)?.key === state.key) writeKept(file, Buffer.from(body));
    },
    confirm(head, other) {
      isConfirmed = head === state.head && other === state.other;
    },
  };
}

function stateOf({ root, ref }: AnswersPlace): RefState | undefined {
  try {
    return readRefState(join(root, ".git"), ref);
  } catch {
    return undefined;
  }
}

function readAnswers(
  file: string,
  key: string,
): readonly (readonly [string, string])[] {
  const bytes = readKept(file);
  if (!bytes) return [];
  const kept = JSON.parse(bytes.toString("utf8")) as {
    readonly key: string;
    readonly answers: readonly (readonly [string, string])[];
  };
  return kept.key === key ? kept.answers : [];
}
