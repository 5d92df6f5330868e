import type { Repository } from "@skein/git";
import type { Reading } from "@skein/references";
import type { CliWorld } from "@skein/reporting";
import { cacheDirOf } from "./cache-dir.js";
import { prefixOf } from "./files.js";
import { isAnyKept } from "./kept-project.js";

/** What files refer to, read before anybody has asked for it. */
export class EarlyReferences {
  #reading: Promise<Reading | undefined> | undefined;

  /**
   * Begins, where nothing is kept of a project: all its files must then be read, which takes longer than everything else
   * that is to be found out until somebody asks.
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
        const { beginReferences } = await import("./references.js");
        const prefix = prefixOf(topLevel ?? gitDir, root);
        return beginReferences({ repository, root, prefix, head, cacheDir });
      })
      .catch(() => undefined); // Whoever asks hears of it.
  }

  /** What was begun, if anything. */
  get reading(): Promise<Reading | undefined> {
    return this.#reading ?? Promise.resolve(undefined);
  }

  /** To be called always, and as soon as it is known that nobody will ask. */
  async stop(): Promise<void> {
    await (await this.#reading)?.stop();
  }
}
