import type { Repository } from "@skein/git";
import type { Reading } from "@skein/references";
import type { CliWorld } from "@skein/reporting";
import { cacheDirOf } from "../cache-dir.js";
import { prefixOf } from "../files/files.js";
import {
  isAnyKept,
  openKeptHead,
  type KeyedProject,
} from "../project/kept-project.js";

/**
 * Reads what a survey probably needs while git still determines the changes. A failure counts as nothing read: the code that
 * needs the repository reports it.
 */
export class ReadAhead {
  readonly #env: CliWorld["env"];
  readonly #opening: Promise<Repository>;
  #reading: Promise<Reading | undefined> = Promise.resolve(undefined);

  constructor({ env }: Pick<CliWorld, "env">, opening: Promise<Repository>) {
    this.#env = env;
    this.#opening = opening;
  }

  /**
   * Starts reading the references of all files if no project is cached. Then all files must be read, which takes longer than
   * everything else before the references are needed.
   */
  beginReferences(root: string): void {
    this.#reading = this.#opening
      .then(async (repository) => {
        const { head, topLevel, gitDir } = repository;
        const cacheDir = cacheDirOf(this.#env, repository);
        if (head === undefined || isAnyKept(cacheDir)) return undefined;
        const { beginReferences } = await import("./read-graph.js");
        const prefix = prefixOf(topLevel ?? gitDir, root);
        return beginReferences({ repository, root, prefix, head, cacheDir });
      })
      .catch(() => undefined);
  }

  /**
   * Opens HEAD's cached project, and loads the index and the decision. There is nothing else to do while git reads the working
   * tree.
   */
  async openProject(): Promise<KeyedProject | undefined> {
    try {
      const repository = await this.#opening;
      const cacheDir = cacheDirOf(this.#env, repository);
      const kept = await openKeptHead(repository, cacheDir);
      await import("./references.js");
      await import("@skein/workspaces/decide");
      return kept;
    } catch {
      return undefined;
    }
  }

  /** The started reading of references; undefined if none was started. */
  get references(): Promise<Reading | undefined> {
    return this.#reading;
  }

  /**
   * Stops reading. Callers must always call this, and do so as soon as it is known that the references aren't needed.
   */
  async stop(): Promise<void> {
    await (await this.#reading)?.stop();
  }
}
