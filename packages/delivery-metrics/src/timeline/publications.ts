import type { Instant, Published } from "../events/event.js";
import type { PullFacts } from "../facts/facts.js";
import { firstFrom, type Tips } from "./base-branch.js";

/** The publication of a pull request. */
export type Publication =
  | { readonly kind: "published"; readonly by: Published }
  /** No publication that contains it is known yet. */
  | { readonly kind: "not-yet" }
  /** It changes only packages that are never published. */
  | { readonly kind: "nothing" };

/** A publication, and the time up to which it contains all merges. */
interface Covering {
  readonly at: Instant;
  readonly by: Published;
}

const EVERYTHING = "*";
const ANY_PACKAGE = "";

/**
 * Returns a function that finds the publication of a pull request. It is the first one that contains it for every
 * changed package, so the last of the packages' first publications.
 */
export function openPublications(
  publications: readonly Published[],
  tips: Tips,
): (pull: PullFacts) => Publication {
  const index = new PublicationIndex();
  const ownNames = new Set<string>();
  let whole = false;
  for (const by of publications) {
    const names = by.packages?.map(({ name }) => name) ?? [EVERYTHING];
    for (const name of names)
      if (name !== EVERYTHING) ownNames.add(name);
      else whole = true;
    const tip = by.sha === null ? undefined : tips.of(by.sha);
    for (const name of [...names, ANY_PACKAGE])
      index.add(name, by, tip?.base, tip?.at ?? by.started ?? by.at);
  }
  index.close();

  return (pull) => {
    const { merged, attributed } = pull;
    if (!merged || publications.length === 0) return { kind: "not-yet" };
    const awaited = attributed?.packages.filter((name) => ownNames.has(name));
    if (attributed && awaited?.length === 0 && !whole && ownNames.size > 0)
      return { kind: "nothing" };
    const names = !awaited
      ? [ANY_PACKAGE]
      : awaited.length === 0
        ? [EVERYTHING]
        : awaited;
    let last: Published | undefined;
    for (const name of names) {
      const first = index.first(
        name === ANY_PACKAGE ? [name] : [name, EVERYTHING],
        pull.pull,
        merged.base,
        merged.at,
      );
      if (!first) return { kind: "not-yet" };
      if (!last || first.at > last.at) last = first;
    }
    return last ? { kind: "published", by: last } : { kind: "not-yet" };
  };
}

class PublicationIndex {
  /** By package and branch: publications that contain everything up to a time, in order of that time. */
  readonly #upTo = new Map<string, Covering[]>();
  /** By package and pull request: publications with a list of pull requests. */
  readonly #listed = new Map<string, Published>();

  add(
    name: string,
    by: Published,
    base: string | undefined,
    upTo: Instant,
  ): void {
    if (by.pulls) {
      for (const pull of by.pulls) {
        const key = JSON.stringify([name, pull]);
        const known = this.#listed.get(key);
        if (!known || by.at < known.at) this.#listed.set(key, by);
      }
      return;
    }
    const key = JSON.stringify([name, base ?? null]);
    const list = this.#upTo.get(key) ?? [];
    this.#upTo.set(key, list);
    list.push({ at: upTo, by });
  }

  /** Changes each list so that every item has the earliest publication of itself and all later items. */
  close(): void {
    for (const list of this.#upTo.values()) {
      list.sort((a, b) => a.at - b.at);
      for (let index = list.length - 2; index >= 0; index--) {
        const here = list[index];
        const next = list[index + 1];
        if (here && next && next.by.at < here.by.at)
          list[index] = { at: here.at, by: next.by };
      }
    }
  }

  first(
    names: readonly string[],
    pull: number,
    base: string,
    merged: Instant,
  ): Published | undefined {
    let first: Published | undefined;
    const offer = (by: Published | undefined) => {
      if (by && (!first || by.at < first.at)) first = by;
    };
    for (const name of names) {
      offer(this.#listed.get(JSON.stringify([name, pull])));
      for (const branch of [base, null]) {
        const list = this.#upTo.get(JSON.stringify([name, branch])) ?? [];
        const next = firstFrom(list.length, (each) => list[each]?.at, merged);
        offer(list[next]?.by);
      }
    }
    return first;
  }
}
