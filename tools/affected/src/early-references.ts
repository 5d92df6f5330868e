import type { Repository } from "@skein/git";
import type { Reading } from "@skein/references";
import type { CliWorld } from "@skein/reporting";
import { cacheDirOf } from "./cache-dir.js";
import { prefixOf } from "./files.js";
import { isAnyKept } from "./kept-project.js";

/** The references of all files, read before it is known whether they are needed. */
export class EarlyReferences {
  #reading: Promise<Reading | undefined> | undefined;

  /**
   * Starts reading if no project is cached. Then all files must be read, which takes longer than everything else before
   * the references are needed.
   */
  begin(
    { env }: Pick<CliWorld, "env">,
    root: string,
    opening: Promise<Repository>,
  ): void {
    this.#reading = opening
      .then(async (repository) => {
        const { head, topLevel, gitDir } = repository;
        const cacheDir = cacheDirOf(env, repository);
        if (head === undefined || isAnyKept(cacheDir)) return undefined;
        const { beginReferences } = await import("./read-graph.js");
        const prefix = prefixOf(topLevel ?? gitDir, root);
        return beginReferences({ repository, root, prefix, head, cacheDir });
      })
      .catch(() => undefined); // Callers that need the repository report its failure.
  }

  /** Returns the started reading; undefined if none was started. */
  get reading(): Promise<Reading | undefined> {
    return this.#reading ?? Promise.resolve(undefined);
  }

  /**
   * Stops reading. Callers must always call this, and do so as soon as it is known that the references aren't needed.
   */
  async stop(): Promise<void> {
    await (await this.#reading)?.stop();
  }
}
