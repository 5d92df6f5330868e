import { makeDrawing } from "./canvas.js";
import {
  nounOf,
  roleIn,
  summaryOf,
  surroundingsOf,
  type Role,
  type Surroundings,
} from "./describe.js";
import { layOut } from "./layout.js";
import type { PageData } from "./page-data.js";
import {
  foldersToDraw,
  foundPlaces,
  packagesToDraw,
  rememberState,
  restoreState,
  type PageState,
} from "./page-state.js";
import { byId, details, firstShown, listItem } from "./panel.js";
import { neighboursOf } from "./reach.js";

start(JSON.parse(byId("graph", HTMLScriptElement).text) as PageData);

/**
 * Connects the parts of the page. Three values determine what it shows: the selection, the search and "affected only".
 */
function start(data: PageData): void {
  const state = makeState(data);
  restoreState(state);
  listenToSearch(state);
  listenToButtons(state);
  listenToKeys(state);
  listenToAddress(state);
  showTexts(data);
  refresh(state);
  state.drawing.fit();
  // Runs after the frame that draws for the first time. Benchmarks and tests read it.
  requestAnimationFrame(() =>
    setTimeout(() => {
      document.documentElement.dataset["painted"] = String(
        Math.round(performance.now()),
      );
    }),
  );
}

/** Returns the state in which the page opens if its address has none. */
function makeState(data: PageData): PageState {
  const places = data.nodes.map((_, place) => place);
  const affected = places.filter((place) => data.nodes[place]?.affected);
  const affectedOnly = byId("affected-only", HTMLInputElement);
  // If a change affects only a part of the packages, the page shows only that part at first.
  affectedOnly.checked = affected.length > 0 && affected.length < places.length;
  const state: PageState = {
    data,
    neighbours: neighboursOf(data),
    places,
    affected,
    search: byId("search", HTMLInputElement),
    affectedOnly,
    drawing: makeDrawing(
      byId("canvas", HTMLCanvasElement),
      data,
      byId("tip", HTMLElement),
      (place) => pickDrawn(state, place),
    ),
    selected: undefined,
    listed: firstShown,
    drawn: { key: "", points: layOut([], []) },
  };
  return state;
}

/** Selects a package, or none. */
function pick(state: PageState, place: number | undefined): void {
  state.selected = place;
  refresh(state);
}

function pickAndReveal(state: PageState, place: number | undefined): void {
  pick(state, place);
  if (place !== undefined) state.drawing.reveal(place);
}

/** Reacts to a click in the drawing: it selects a package, or searches for the packages of a folder. */
function pickDrawn(state: PageState, place: number | undefined): void {
  const folders = foldersToDraw(state);
  if (!folders) {
    pick(state, place);
    return;
  }
  if (place === undefined) return;
  state.search.value = `${folders.data.nodes[place]?.dir ?? ""}/`;
  state.listed = firstShown;
  refresh(state);
}

/** Shows the state in the drawing, the details, the list and the address. */
function refresh(state: PageState): void {
  const { selected, neighbours } = state;
  const restoreFocus = keepFocus();
  const matches = foundPlaces(state);
  const matching = new Set(matches);
  const around =
    selected === undefined ? undefined : surroundingsOf(selected, neighbours);
  const roleOf = (place: number): Role =>
    selected !== undefined && around
      ? roleIn(place, selected, around)
      : matching.has(place)
        ? "plain"
        : "other";
  const folders = foldersToDraw(state);
  if (folders)
    draw(
      state,
      folders.data,
      folders.data.nodes.map((_, place) => place),
      neighboursOf(folders.data).dependencies,
      () => "plain",
    );
  else
    draw(
      state,
      state.data,
      packagesToDraw(state, matches, around),
      neighbours.dependencies,
      roleOf,
    );
  showDetails(state, around);
  showList(state, matches, roleOf);
  restoreFocus();
  rememberState(state);
}

/**
 * Returns a function that gives the focus back after the list and the details were rebuilt. Otherwise, a person
 * without a pointer would start again at the top of the page after each choice.
 */
function keepFocus(): () => void {
  const { activeElement: focused } = document;
  const list = byId("list", HTMLUListElement);
  const details = byId("details", HTMLElement);
  const wasInDetails = details.contains(focused);
  if (!wasInDetails && !list.contains(focused)) return () => undefined;
  const name =
    focused instanceof HTMLElement ? focused.dataset["name"] : undefined;
  return () => {
    const lines = [...list.querySelectorAll("button")];
    const line =
      lines.find((each) => each.dataset["name"] === name) ??
      lines.find(({ tabIndex }) => tabIndex === 0);
    if (!wasInDetails) line?.focus({ preventScroll: true });
    else (details.querySelector("h2") ?? line)?.focus();
  };
}

/** Draws packages. If they differ from those of the last drawing, it lays them out and fits them all into view. */
function draw(
  state: PageState,
  data: PageData,
  which: readonly number[],
  below: readonly (readonly number[])[],
  roleOf: (place: number) => Role,
): void {
  const { drawing } = state;
  const key = [data === state.data ? "" : "folders", ...which].join(" ");
  const isNew = key !== state.drawn.key;
  if (isNew)
    state.drawn = { key, points: layOut(which, below, drawing.size()) };
  drawing.show({ data, points: state.drawn.points, roleOf });
  byId("empty", HTMLElement).hidden = which.length > 0;
  if (isNew) drawing.fit();
}

/** Shows why the selected package is affected, and its surroundings. */
function showDetails(state: PageState, around?: Surroundings): void {
  const { data, selected } = state;
  byId("details", HTMLElement).replaceChildren(
    ...(selected !== undefined && around
      ? details(data, selected, around, (place) => pickAndReveal(state, place))
      : [
          `Select a ${nounOf(data, 1)} to see why it is affected and what depends on it.`,
        ]),
  );
}

/** Shows the first packages that the search finds, and their number. */
function showList(
  state: PageState,
  matches: readonly number[],
  roleOf: (place: number) => Role,
): void {
  const { data, places, listed } = state;
  const list = byId("list", HTMLUListElement);
  list.replaceChildren(
    ...matches
      .slice(0, listed)
      .map((place) =>
        listItem(data, place, roleOf(place), (picked) =>
          pickAndReveal(state, picked),
        ),
      ),
  );
  byId("list-count", HTMLElement).textContent =
    `${matches.length.toLocaleString("en-US")} of ${places.length.toLocaleString("en-US")}`;
  keepOneStop(list);
  const more = byId("more", HTMLButtonElement);
  more.hidden = matches.length <= listed;
  more.textContent = `Show ${(matches.length - listed).toLocaleString("en-US")} more`;
}

/** Shows the texts that never change: the titles and the summary. */
function showTexts(data: PageData): void {
  byId("title", HTMLElement).textContent = data.title;
  const nouns = nounOf(data, 2);
  byId("list-title", HTMLElement).textContent =
    nouns.charAt(0).toUpperCase() + nouns.slice(1);
  byId("empty", HTMLElement).textContent = `No ${nouns} to show.`;
  byId("summary", HTMLElement).textContent = summaryOf(data);
}

/** Reacts to the fields of the search: the text, and "affected only". */
function listenToSearch(state: PageState): void {
  const { data, search, affectedOnly } = state;
  search.addEventListener("input", () => {
    state.listed = firstShown;
    pick(state, undefined);
  });
  byId("controls", HTMLFormElement).addEventListener("submit", (event) => {
    event.preventDefault();
    pickAndReveal(state, foundPlaces(state)[0]);
  });
  affectedOnly.addEventListener("change", () => {
    const { selected } = state;
    if (
      selected !== undefined &&
      affectedOnly.checked &&
      !data.nodes[selected]?.affected
    )
      state.selected = undefined;
    refresh(state);
  });
}

/** Reacts to another address in the same tab, as after pasting a link. */
function listenToAddress(state: PageState): void {
  addEventListener("hashchange", () => {
    restoreState(state);
    refresh(state);
  });
}

/** Reacts to the buttons: the rest of the list, and the zoom. */
function listenToButtons(state: PageState): void {
  const { drawing } = state;
  const onClick = (id: string, act: () => void) =>
    byId(id, HTMLElement).addEventListener("click", act);
  onClick("more", () => {
    const { listed } = state;
    state.listed = Infinity;
    refresh(state);
    // The button is gone, so the focus goes to the first line that it added.
    const lines = byId("list", HTMLUListElement).querySelectorAll("button");
    lines[listed]?.focus();
  });
  onClick("zoom-in", () => drawing.zoom(1.4));
  onClick("zoom-out", () => drawing.zoom(1 / 1.4));
  onClick("zoom-fit", () => drawing.fit());
}

/** Reacts to the keys that work everywhere on the page: Escape ends the selection, and / goes to the search. */
function listenToKeys(state: PageState): void {
  document.addEventListener("keydown", ({ key, target }) => {
    if (key === "Escape" && state.selected !== undefined)
      pick(state, undefined);
    if (key === "/" && target !== state.search)
      // Without the delay, the browser would type the key into the field that gets the focus.
      setTimeout(() => state.search.focus());
  });
}

/**
 * Makes the Tab key stop once in a list: at the selected line, or at the first. Arrows, Home and End move between
 * lines.
 */
function keepOneStop(list: HTMLUListElement): void {
  const lines = [...list.querySelectorAll("button")];
  const stop = lines.find((line) => line.ariaPressed === "true") ?? lines[0];
  if (stop) stop.tabIndex = 0;
  list.onkeydown = (event) => {
    const at = lines.findIndex((line) => line === document.activeElement);
    const next: Readonly<Record<string, number>> = {
      ArrowDown: at + 1,
      ArrowUp: at - 1,
      Home: 0,
      End: lines.length - 1,
    };
    const line = lines[next[event.key] ?? -1];
    if (!line) return;
    event.preventDefault();
    for (const each of lines) each.tabIndex = each === line ? 0 : -1;
    line.focus();
  };
}
