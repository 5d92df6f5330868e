import { signs, waysAsText, type Role, type Surroundings } from "./describe.js";
import type { PageData, PageNode } from "./page-data.js";

/**
 * The number of ways and packages that the page shows at first: a list of thousands isn't useful and takes long to lay
 * out.
 */
export const firstShown = 200;

/** Returns an element of the page. @throws {Error} if it doesn't exist */
export function byId<Kind extends HTMLElement>(
  id: string,
  kind: new () => Kind,
): Kind {
  const found = document.getElementById(id);
  if (!(found instanceof kind)) throw new Error(`the page lacks ${id}`);
  return found;
}

/** Makes an element that contains text or elements. Text never becomes markup. */
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

/** Returns a package's state as a word with a sign; empty if it isn't affected. */
export function markOf(node: PageNode | undefined): string {
  return node?.changed ? "■ changed" : node?.affected ? "● affected" : "";
}

function markElement(node: PageNode): HTMLElement {
  return make("span", node.changed ? "mark changed" : "mark", markOf(node));
}

/** Returns one line of the list of packages. */
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
  // The list has one stop for the Tab key; arrows move between lines (main.ts).
  item.tabIndex = -1;
  if (node?.affected) item.append(markElement(node));
  return make("li", "", item);
}

/** Returns everything about the selected package, as text. */
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
  const heading = make("h2", "", node.name);
  // It gets the focus after a choice in the details.
  heading.tabIndex = -1;
  return [
    heading,
    make("p", "quiet", facts.join(" · ")),
    node.affected
      ? make("p", "", markElement(node))
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
    ...ways(data, place, "▲ Depend on it", surroundings.dependents, pick),
    ...ways(data, place, "▼ It depends on", surroundings.dependencies, pick),
    make(
      "p",
      "",
      button("", "Clear the selection", () => pick(undefined)),
    ),
  ];
}

function ways(
  { nodes }: PageData,
  start: number,
  title: string,
  reached: ReadonlyMap<number, number>,
  pick: (place: number) => void,
): Node[] {
  const isDirect = (place: number) => reached.get(place) === start;
  const all = waysAsText(reached, nodes).map(({ place, way }) => ({
    place,
    // A direct dependency needs no way: the heading names both ends.
    way: isDirect(place) ? (nodes[place]?.name ?? "") : way,
  }));
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
      ...(nodes[place]?.affected ? [` ${markOf(nodes[place])}`] : []),
    );
  const direct = all.filter(({ place }) => isDirect(place));
  const others = all.filter(({ place }) => !isDirect(place));
  return [
    heading,
    ...listOf(direct, item),
    ...(others.length === 0
      ? []
      : [
          folded(
            `${others.length.toLocaleString("en-US")} by way of these`,
            () => listOf(others, item),
          ),
        ]),
  ];
}

/** Returns text that unfolds. Its content is made when it is opened. */
function folded(title: string, content: () => Node[]): HTMLElement {
  const element = make("details", "", make("summary", "", title));
  element.addEventListener("toggle", () => element.append(...content()), {
    once: true,
  });
  return element;
}

/** Returns a list with its first lines, and a button that shows the others. */
function listOf<Item>(
  all: readonly Item[],
  item: (each: Item) => HTMLElement,
): Node[] {
  const list = make("ul", "", ...all.slice(0, firstShown).map(item));
  const rest = all.slice(firstShown);
  if (rest.length === 0) return [list];
  const more = button(
    "",
    `Show ${rest.length.toLocaleString("en-US")} more`,
    () => {
      list.append(...rest.map(item));
      more.remove();
      list.children[firstShown]?.querySelector("button")?.focus();
    },
  );
  return [list, more];
}
