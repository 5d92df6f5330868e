import type { Drawing } from "./canvas.js";
import { isFound, type Surroundings } from "./describe.js";
import { groupsOf, type Groups } from "./groups.js";
import type { Point } from "./layout.js";
import type { PageData } from "./page-data.js";
import type { AllNeighbours } from "./reach.js";

/** The graph, what the page shows of it, and the elements that determine this. */
export interface PageState {
  readonly data: PageData;
  readonly neighbours: AllNeighbours;
  /** The places of all packages. */
  readonly places: readonly number[];
  /** The places of the affected packages. */
  readonly affected: readonly number[];
  readonly search: HTMLInputElement;
  readonly affectedOnly: HTMLInputElement;
  readonly drawing: Drawing;
  /** The place of the selected package; undefined if none is selected. */
  selected: number | undefined;
  /** The maximum number of packages in the list. */
  listed: number;
  /** The points of the last drawing, and a key that differs if other packages must be laid out. */
  drawn: {
    readonly key: string;
    readonly points: ReadonlyMap<number, Point>;
  };
}

/** Returns the packages that "affected only" leaves. */
function shownPlaces({
  affectedOnly,
  affected,
  places,
}: PageState): readonly number[] {
  return affectedOnly.checked ? affected : places;
}

/** Returns the packages that the search finds: first those that changed, then the other affected ones, then the rest. */
export function foundPlaces(state: PageState): readonly number[] {
  const wanted = state.search.value.trim();
  const { nodes } = state.data;
  const rank = (place: number) =>
    nodes[place]?.changed ? 0 : nodes[place]?.affected ? 1 : 2;
  return shownPlaces(state)
    .filter((place) => {
      const node = nodes[place];
      return node !== undefined && isFound(node, wanted);
    })
    .sort((one, other) => rank(one) - rank(other));
}

/**
 * Returns the folders while the drawing shows them: if there are many packages, and none is selected or searched for.
 */
export function foldersToDraw(state: PageState): Groups | undefined {
  return state.selected === undefined && state.search.value.trim() === ""
    ? groupsOf(state.data, shownPlaces(state))
    : undefined;
}

/**
 * Returns the packages to draw. If there are many, these are only the search results, or the selected package's
 * surroundings.
 */
export function packagesToDraw(
  state: PageState,
  matches: readonly number[],
  around?: Surroundings,
): readonly number[] {
  const all = shownPlaces(state);
  if (!groupsOf(state.data, all)) return all;
  return around
    ? all.filter(
        (place) =>
          place === state.selected ||
          around.dependents.has(place) ||
          around.dependencies.has(place),
      )
    : matches;
}

/** Writes the page's state into its address, so that people can send it to someone. */
export function rememberState(state: PageState): void {
  const { data, selected, search, affectedOnly } = state;
  const name = selected === undefined ? "" : data.nodes[selected]?.name;
  const inAddress = new URLSearchParams({
    ...(name && { package: name }),
    ...(search.value !== "" && { search: search.value }),
    show: affectedOnly.checked ? "affected" : "all",
  });
  history.replaceState(undefined, "", `#${inAddress.toString()}`);
}

/** Reads the page's state from its address. */
export function restoreState(state: PageState): void {
  const { data, search, affectedOnly } = state;
  const inAddress = new URLSearchParams(location.hash.slice(1));
  const name = inAddress.get("package");
  search.value = inAddress.get("search") ?? "";
  if (inAddress.has("show"))
    affectedOnly.checked = inAddress.get("show") === "affected";
  const place = data.nodes.findIndex((node) => node.name === name);
  state.selected = place >= 0 ? place : undefined;
}
