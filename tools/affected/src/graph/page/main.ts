import { makeDrawing } from "./canvas.js";
import {
  isFound,
  roleIn,
  summaryOf,
  surroundingsOf,
  type Role,
  type Surroundings,
} from "./describe.js";
import { groupsOf } from "./groups.js";
import { layOut } from "./layout.js";
import type { PageData } from "./page-data.js";
import { byId, details, firstShown, listItem } from "./panel.js";
import { neighboursOf } from "./reach.js";

/** With more packages than this, the page shows only the affected ones at first. */
const MANY = 30;

start(JSON.parse(byId("graph", HTMLScriptElement).text) as PageData);

/**
 * Connects the parts of the page. Three values determine what it shows: the selection, the search and "affected only".
 */
function start(data: PageData): void {
  const neighbours = neighboursOf(data);
  const places = data.nodes.map((_, place) => place);
  const search = byId("search", HTMLInputElement);
  const affectedOnly = byId("affected-only", HTMLInputElement);
  const more = byId("more", HTMLButtonElement);
  const affected = places.filter((place) => data.nodes[place]?.affected);
  // If a change affects only a part of many packages, the page shows only that part at first.
  affectedOnly.checked =
    places.length > MANY &&
    affected.length > 0 &&
    affected.length < places.length;
  let selected: number | undefined;
  let listed = firstShown;

  const shown = () => (affectedOnly.checked ? affected : places);
  const found = () => {
    const wanted = search.value.trim();
    return shown().filter((place) => {
      const node = data.nodes[place];
      return node !== undefined && isFound(node, wanted);
    });
  };

  /**
   * Returns the folders while the drawing shows them: if there are many packages, and none is selected or searched for.
   */
  const folders = () =>
    selected === undefined && search.value.trim() === ""
      ? groupsOf(data, shown())
      : undefined;
  const open = (folder: string) => {
    search.value = folder;
    listed = firstShown;
    refresh();
  };

  /** Draws packages. If they differ from those of the last drawing, it lays them out and fits them all into view. */
  const draw = (
    all: PageData,
    which: readonly number[],
    below: readonly (readonly number[])[],
    roleOf: (place: number) => Role,
  ) => {
    const key = [all === data ? "" : "folders", ...which].join(" ");
    const isNew = key !== drawn.key;
    if (isNew) drawn = { key, points: layOut(which, below, drawing.size()) };
    drawing.show({ data: all, points: drawn.points, roleOf });
    if (isNew) drawing.fit();
  };

  const pick = (place: number | undefined) => {
    selected = place;
    refresh();
  };
  const pickAndCentre = (place: number | undefined) => {
    pick(place);
    if (place !== undefined) drawing.centre(place);
  };
  const drawing = makeDrawing(
    byId("canvas", HTMLCanvasElement),
    data,
    byId("tip", HTMLElement),
    (place) => {
      const folder = folders();
      if (folder && place !== undefined)
        open(`${folder.data.nodes[place]?.dir ?? ""}/`);
      else if (!folder) pick(place);
    },
  );
  restore();
  let drawn = { key: "", points: layOut([], []) };

  /**
   * Returns the packages to draw. If there are many, these are only the search results, or the selected package's
   * surroundings.
   */
  const toDraw = (matches: readonly number[], around?: Surroundings) => {
    const all = shown();
    if (!groupsOf(data, all)) return all;
    return around
      ? all.filter(
          (place) =>
            place === selected ||
            around.dependents.has(place) ||
            around.dependencies.has(place),
        )
      : matches;
  };

  const refresh = () => {
    const matches = found();
    const matching = new Set(matches);
    const around =
      selected === undefined ? undefined : surroundingsOf(selected, neighbours);
    const roleOf = (place: number): Role =>
      selected !== undefined && around
        ? roleIn(place, selected, around)
        : matching.has(place)
          ? "plain"
          : "other";
    const grouped = folders();
    if (grouped)
      draw(
        grouped.data,
        grouped.data.nodes.map((_, place) => place),
        neighboursOf(grouped.data).dependencies,
        () => "plain",
      );
    else draw(data, toDraw(matches, around), neighbours.dependencies, roleOf);
    byId("details", HTMLElement).replaceChildren(
      ...(selected !== undefined && around
        ? details(data, selected, around, pickAndCentre)
        : [
            "Select a package to see why it is affected and what depends on it.",
          ]),
    );
    byId("list", HTMLUListElement).replaceChildren(
      ...matches
        .slice(0, listed)
        .map((place) => listItem(data, place, roleOf(place), pickAndCentre)),
    );
    byId("list-count", HTMLElement).textContent =
      `${matches.length.toLocaleString("en-US")} of ${places.length.toLocaleString("en-US")}`;
    keepOneStop(byId("list", HTMLUListElement));
    remember();
    more.hidden = matches.length <= listed;
    more.textContent = `Show ${(matches.length - listed).toLocaleString("en-US")} more`;
  };

  /** Writes the page's state into its address, so that people can send it to someone. */
  function remember(): void {
    const name = selected === undefined ? "" : data.nodes[selected]?.name;
    const state = new URLSearchParams({
      ...(name && { package: name }),
      ...(search.value !== "" && { search: search.value }),
      show: affectedOnly.checked ? "affected" : "all",
    });
    history.replaceState(undefined, "", `#${state.toString()}`);
  }

  function restore(): void {
    const state = new URLSearchParams(location.hash.slice(1));
    const name = state.get("package");
    search.value = state.get("search") ?? "";
    if (state.has("show"))
      affectedOnly.checked = state.get("show") === "affected";
    const place = data.nodes.findIndex((node) => node.name === name);
    if (place >= 0) selected = place;
  }

  search.addEventListener("input", () => {
    listed = firstShown;
    selected = undefined;
    refresh();
  });
  byId("controls", HTMLFormElement).addEventListener("submit", (event) => {
    event.preventDefault();
    pickAndCentre(found()[0]);
  });
  affectedOnly.addEventListener("change", () => {
    if (
      selected !== undefined &&
      affectedOnly.checked &&
      !data.nodes[selected]?.affected
    )
      selected = undefined;
    refresh();
  });
  more.addEventListener("click", () => {
    listed = Infinity;
    refresh();
  });
  document.addEventListener("keydown", ({ key, target }) => {
    if (key === "Escape" && selected !== undefined) pick(undefined);
    if (key === "/" && !(target instanceof HTMLInputElement))
      // Without the delay, the browser would type the key into the field that gets the focus.
      setTimeout(() => search.focus());
  });
  byId("zoom-in", HTMLElement).addEventListener("click", () =>
    drawing.zoom(1.4),
  );
  byId("zoom-out", HTMLElement).addEventListener("click", () =>
    drawing.zoom(1 / 1.4),
  );
  byId("zoom-fit", HTMLElement).addEventListener("click", () => drawing.fit());

  byId("title", HTMLElement).textContent = data.title;
  if (data.nouns !== undefined)
    byId("list-title", HTMLElement).textContent =
      data.nouns.charAt(0).toUpperCase() + data.nouns.slice(1);
  byId("summary", HTMLElement).textContent = summaryOf(data);
  refresh();
  drawing.fit();
  // Runs after the frame that draws for the first time. Benchmarks and tests read it.
  requestAnimationFrame(() =>
    setTimeout(() => {
      document.documentElement.dataset["painted"] = String(
        Math.round(performance.now()),
      );
    }),
  );
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
