import type { SourceEdge } from "../../graph.js";
import type { Layout } from "../layout.js";
import type { Reached } from "./loaded-modules.js";
import { namesOf } from "./module-reach.js";

/** An edge with more files than this counts for the whole package: a list of them would take more time than it saves. */
const LARGE = 500;

/** The sum of what several references to one package lead to. */
export class ReachSum {
  readonly #used = new Set<number>();
  #files: Set<string> | undefined = new Set();
  readonly #added = new Set<Reached>();

  add(reach: Reached): void {
    if (this.#added.has(reach)) return;
    this.#added.add(reach);
    for (const each of reach.used) this.#used.add(each);
    if (!reach.files) this.#files = undefined;
    for (const each of reach.files ?? []) this.#files?.add(each);
  }

  /**
   * Returns it as facts of an edge.
   * @param manifestUses the numbers of the packages that the package's manifest uses
   */
  of(
    layout: Layout,
    manifestUses: Iterable<number>,
  ): Pick<SourceEdge, "onward" | "files"> {
    const files = this.#files;
    return {
      onward: namesOf(new Set([...this.#used, ...manifestUses]), layout),
      ...(files && files.size <= LARGE && { files: [...files].sort() }),
    };
  }
}
