import { signs, waysAsText, type Role, type Surroundings } from "./describe.js";
import type { PageData } from "./page-data.js";

/** Ways and packages are shown so many at first: a list of thousands helps nobody and takes long to lay out. */
export const firstShown = 200;

/** An element of the page that must be there. */
export function byId<Kind extends HTMLElement>(
  id: string,
  kind: new () => Kind,
): Kind {
  const found = document.getElementById(id);
  if (!(found instanceof kind)) throw new Error(`the page lacks ${id}`);
  return found;
}

/** An element with text or elements in it. Text is only ever text. */
function make(
  tag: string,
  className: string,
  ...content: (string | Node)[]
): HTMLElement {
  const element = document.createElement(tag);
  if (className !== "") element.className = className;
  element.append(...content);
  return element;
}

function button(className: string, text: string, act: () => void) {
  const element = document.createElement("button");
  element.type = "button";
  element.className = className;
  element.append(text);
  element.addEventListener("click", act);
  return element;
}

/** One line of the list of packages. */
export function listItem(
  { nodes }: PageData,
  place: number,
  role: Role,
  pick: (place: number) => void,
): HTMLElement {
  const node = nodes[place];
  const item = button("", "", () => pick(place));
  item.setAttribute("aria-pressed", String(role === "selected"));
  item.dataset["name"] = node?.name;
  item.dataset["role"] = role;
  item.append(make("span", "", `${signs[role]}${node?.name ?? ""}`));
  if (node?.affected) item.append(make("span", "mark", "● affected"));
  return make("li", "", item);
}

/** Everything about the selected package, in words. */
export function details(
  data: PageData,
  place: number,
  surroundings: Surroundings,
  pick: (place: number | undefined) => void,
): Node[] {
  const node = data.nodes[place];
  if (!node) return [];
  const facts = [
    node.dir,
    ...node.tags.map((tag) => `tag ${tag}`),
    ...node.owners,
  ];
  return [
    make("h2", "", node.name),
    make("p", "quiet", facts.join(" · ")),
    node.affected
      ? make("p", "", make("span", "mark", "● affected"))
      : make("p", "", "not affected"),
    ...(node.reasons.length > 0
      ? [
          make("h3", "", "Why"),
          make(
            "ul",
            "",
            ...node.reasons.map((reason) => make("li", "", reason)),
          ),
        ]
      : []),
    ...ways(data, "▲ Depend on it", surroundings.dependents, pick),
    ...ways(data, "▼ It depends on", surroundings.dependencies, pick),
    make(
      "p",
      "",
      button("", "Clear the selection", () => pick(undefined)),
    ),
  ];
}

function ways(
  { nodes }: PageData,
  title: string,
  reached: ReadonlyMap<number, number>,
  pick: (place: number) => void,
): Node[] {
  const all = waysAsText(reached, nodes);
  const heading = make(
    "h3",
    "",
    `${title}: ${all.length.toLocaleString("en-US")}`,
  );
  if (all.length === 0) return [heading];
  const item = ({ place, way }: (typeof all)[number]) =>
    make(
      "li",
      "",
      button("link", way, () => pick(place)),
      ...(nodes[place]?.affected ? [" ● affected"] : []),
    );
  const list = make("ul", "", ...all.slice(0, firstShown).map(item));
  const rest = all.slice(firstShown);
  if (rest.length === 0) return [heading, list];
  const more = button(
    "",
    `Show ${rest.length.toLocaleString("en-US")} more`,
    () => {
      list.append(...rest.map(item));
      more.remove();
    },
  );
  return [heading, list, more];
}
