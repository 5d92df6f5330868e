import { join } from "node:path";
import { readKept, writeKept } from "./kept-file.js";
import { readRefState } from "./refs-in-files.js";
import type { RefState } from "./refs-in-files.js";

/** Where to look, and where to keep. */
export interface AnswersPlace {
  /** The top of a plain clone, absolute: its `.git` is a folder. */
  readonly root: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** A folder of ours, which need not exist. */
  readonly keepIn: string;
  /** Full name of the ref that HEAD is compared with. */
  readonly ref: string;
}

/**
 * Git's earlier answers about HEAD and the ref that it is compared with: their merge base, HEAD's tree, what
 * differs. All of it is a function of the two commits (their ids hold all of history), of where the history that is here
 * ends, and of the repository's own settings. These are read anew in each run; of others nothing is known.
 */
export interface KeptAnswers {
  /** Whether anything is kept: then the rest is, too. */
  readonly isKept: boolean;
  /** Git's answer; undefined if git must be asked. */
  get(question: readonly string[]): Buffer | undefined;
  /** Keeps an answer, where the refs are still as they were before git was asked. */
  put(question: readonly string[], answer: Buffer): void;
  /** Told what git says that the two refs are: where our reading of them says otherwise, nothing is kept. */
  confirm(head: string | undefined, other: string | undefined): void;
}

/** Variables that have no part in what git says of commits. Of any other that is git's, nothing is known. */
const HARMLESS =
  /^GIT_(?:ADVICE|ASKPASS|AUTHOR_.*|COMMITTER_.*|CONFIG_GLOBAL|CONFIG_NOSYSTEM|CONFIG_SYSTEM|EDITOR|EXEC_PATH|INDEX_FILE|OPTIONAL_LOCKS|PAGER|PREFIX|REFLOG_ACTION|SEQUENCE_EDITOR|SSH.*|SSL_.*|TERMINAL_PROMPT)$/;

/** Characters of answers: a change of more files than some thousands is not kept. */
const LARGE = 1_000_000;

/** @returns undefined where an answer could change with something that is not looked at */
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
