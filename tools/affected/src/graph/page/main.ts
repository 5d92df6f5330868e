import { makeDrawing } from "./canvas.js";
import {
  isFound,
  roleIn,
  summaryOf,
  surroundingsOf,
  type Role,
} from "./describe.js";
import { layOut } from "./layout.js";
import type { PageData } from "./page-data.js";
import { byId, details, firstShown, listItem } from "./panel.js";
import { neighboursOf } from "./reach.js";

start(JSON.parse(byId("graph", HTMLScriptElement).text) as PageData);

/** Ties the parts of the page together. What is shown follows from three facts: selection, search, and "affected only". */
function start(data: PageData): void {
  const neighbours = neighboursOf(data);
  const places = data.nodes.map((_, place) => place);
  const search = byId("search", HTMLInputElement);
  const affectedOnly = byId("affected-only", HTMLInputElement);
  const more = byId("more", HTMLButtonElement);
  let selected: number | undefined;
  let listed = firstShown;

  const shown = () =>
    affectedOnly.checked
      ? places.filter((place) => data.nodes[place]?.affected)
      : places;
  const found = () => {
    const wanted = search.value.trim();
    return shown().filter((place) => {
      const node = data.nodes[place];
      return node !== undefined && isFound(node, wanted);
    });
  };

  const pick = (place: number | undefined) => {
    selected = place;
    refresh();
  };
  const pickAndCentre = (place: number | undefined) => {
    pick(place);
    if (place !== undefined) drawing.centre(place);
  };
  const drawing = makeDrawing(byId("canvas", HTMLCanvasElement), data, pick);
  let points = layOut(shown(), neighbours.dependencies);

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
    drawing.show({ points, roleOf });
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
    more.hidden = matches.length <= listed;
    more.textContent = `Show ${(matches.length - listed).toLocaleString("en-US")} more`;
  };

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
    points = layOut(shown(), neighbours.dependencies);
    refresh();
    drawing.fit();
  });
  more.addEventListener("click", () => {
    listed = Infinity;
    refresh();
  });
  document.addEventListener("keydown", ({ key, target }) => {
    if (key === "Escape" && selected !== undefined) pick(undefined);
    if (key === "/" && !(target instanceof HTMLInputElement))
      // The key would be typed into the field that it leads to.
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
  byId("summary", HTMLElement).textContent = summaryOf(data);
  refresh();
  drawing.fit();
  // Behind the frame that draws for the first time: for benchmarks and tests.
  requestAnimationFrame(() =>
    setTimeout(() => {
      document.documentElement.dataset["painted"] = String(
        Math.round(performance.now()),
      );
    }),
  );
}
