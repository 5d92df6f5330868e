import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

/** The surroundings of a command. */
interface Surroundings {
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly stdin: string;
}

/** A command line of `affected`. */
export interface CommandQuestion extends Surroundings {
  readonly kind: "command";
}

/** Asks for the fingerprints of a commit; of the working tree if `head` is undefined. */
export interface FingerprintsQuestion extends Surroundings {
  readonly kind: "fingerprints";
  readonly head: string | undefined;
}

export type Question = CommandQuestion | FingerprintsQuestion;

/** The result of a command. */
export interface Answer {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** The digest of each unit's fingerprint, by name; undefined for a unit without one. */
export type Fingerprints = readonly (readonly [string, string | undefined])[];

/** A process that answers one question at a time. */
export interface Asker {
  ask(question: CommandQuestion): Promise<Answer>;
  ask(question: FingerprintsQuestion): Promise<Fingerprints>;
  close(): void;
}

/**
 * Starts a process that answers questions. To start git takes longer the more memory a process has, because fork copies the
 * tables of its pages: in these tests, half of the time went there.
 */
export function openAsker(): Asker {
  const program = new URL("./asker.test.kit.js", import.meta.url);
  const child = fork(fileURLToPath(program), [], {
    // Node must not take the options of Jest's process, and fields that are undefined must arrive.
    ...{ execArgv: [], serialization: "advanced" },
  });
  const ended = once(child, "exit").then(([code]) => {
    throw new Error(`the process that answers ended with ${String(code)}`);
  });
  ended.catch(() => undefined);
  return {
    async ask(question: Question) {
      const answered = once(child, "message") as Promise<[never]>;
      child.send(question);
      const [answer] = await Promise.race([answered, ended]);
      return answer;
    },
    close: () => child.disconnect(),
  };
}
