import { signs, type Role } from "./describe.js";
import { box, type Point } from "./layout.js";
import type { PageData, PageNode } from "./page-data.js";
import { openRoutes, type Route } from "./routes.js";

/** The content of a drawing: the packages that have a point, each in its role. */
export interface Scene {
  readonly data: PageData;
  readonly points: ReadonlyMap<number, Point>;
  readonly roleOf: (place: number) => Role;
}

/** A scene, with the position and scale at which it is drawn. */
export interface Frame {
  readonly scene: Scene;
  /** The position of the drawing's origin, in CSS pixels, and the number of CSS pixels per unit of the drawing. */
  readonly view: {
    readonly x: number;
    readonly y: number;
    readonly scale: number;
  };
  /** The size of the canvas, in CSS pixels. */
  readonly width: number;
  readonly height: number;
  /** The number of the screen's pixels per CSS pixel. */
  readonly ratio: number;
}

type Colours = (name: string) => string;

/** A frame on its way to a canvas. */
interface Painting {
  readonly context: CanvasRenderingContext2D;
  readonly frame: Frame;
  readonly colour: Colours;
  /** The labels that earlier frames have shortened. Measuring text is slow. */
  readonly labels: WeakMap<PageNode, string>;
  /** Undefined for straight edges. */
  readonly route: Route | undefined;
}

/** In a drawing with more boxes, edges are straight lines behind them, because curves take too long. */
const MOST_CURVED = 1500;
/** In a drawing with more boxes, curves don't avoid them. */
const MOST_ROUTED = 500;

/** Returns a function that paints frames on an empty canvas. It skips everything out of sight. */
export function makePainter(
  context: CanvasRenderingContext2D,
): (frame: Frame) => void {
  const labels = new WeakMap<PageNode, string>();
  const routes = new WeakMap<Scene["points"], Route | undefined>();
  return (frame) => {
    const { scene, view, ratio } = frame;
    if (!routes.has(scene.points))
      routes.set(scene.points, routeIn(scene.points));
    const route = routes.get(scene.points);
    const style = getComputedStyle(document.documentElement);
    const colour = (name: string) => style.getPropertyValue(`--${name}`);
    const painting: Painting = { context, frame, colour, labels, route };
    const scale = ratio * view.scale;
    context.setTransform(scale, 0, 0, scale, ratio * view.x, ratio * view.y);
    drawEdges(painting);
    context.font = "12px system-ui, sans-serif";
    context.textBaseline = "middle";
    for (const [place, point] of scene.points)
      if (isInSight(point, frame)) drawBox(painting, place, point);
  };
}

/** Returns the way of edges in a drawing; undefined for straight lines. */
function routeIn(points: Scene["points"]): Route | undefined {
  if (points.size > MOST_CURVED) return undefined;
  return points.size > MOST_ROUTED ? () => [] : openRoutes(points.values());
}

/** Returns whether a box at this point can be visible on the canvas. */
function isInSight({ x, y }: Point, { view, width, height }: Frame): boolean {
  const [left, top] = [x * view.scale + view.x, y * view.scale + view.y];
  const [w, h] = [box.width * view.scale, box.height * view.scale];
  return left > -w && left < width + w && top > -h && top < height + h;
}

/** Returns a package's mark and as much of its name as its box has room for. */
function labelOf({ context, labels }: Painting, node: PageNode): string {
  const known = labels.get(node);
  if (known !== undefined) return known;
  const mark = node.changed ? "■ " : node.affected ? "● " : "";
  let { name } = node;
  const tooWide = () => context.measureText(mark + name).width > box.width - 40;
  // Most packages have the same scope; the part behind it distinguishes them.
  if (tooWide() && name.startsWith("@"))
    name = `…${name.slice(name.indexOf("/"))}`;
  while (name.length > 4 && tooWide())
    name = `${name.slice(0, Math.floor((name.length - 1) / 2) - 1)}…${name.slice(Math.ceil((name.length + 1) / 2) + 1)}`;
  labels.set(node, mark + name);
  return mark + name;
}

/** The number of edges up to which each is drawn strongly. */
const FEW_EDGES = 60;

/** Draws all edges that have a line style. Edges of one style are one path, which is fast. */
function drawEdges({ context, frame, colour, route }: Painting): void {
  const { scene, view } = frame;
  const paths = {
    plain: new Path2D(),
    dependent: new Path2D(),
    dependency: new Path2D(),
  };
  let some = false;
  for (const [from, to] of scene.data.edges) {
    const [end, start] = [scene.points.get(from), scene.points.get(to)];
    if (!start || !end) continue;
    const kind = edgeRole(scene.roleOf(from), scene.roleOf(to));
    if (kind === undefined) continue;
    const visible =
      kind !== "plain" ||
      route !== undefined ||
      isInSight(start, frame) ||
      isInSight(end, frame);
    if (!visible) continue;
    some = true;
    drawEdge(paths[kind], end, start, route);
  }
  if (!some) return;
  context.setLineDash([]);
  context.strokeStyle = colour("edge");
  // Many edges over each other would hide the boxes.
  const isSparse = scene.data.edges.length <= FEW_EDGES;
  context.lineWidth = isSparse ? 1.5 : 1;
  context.globalAlpha = isSparse ? 1 : route ? 0.55 : 0.15;
  context.stroke(paths.plain);
  context.globalAlpha = 1;
  context.lineWidth = 2 / Math.min(1, view.scale * 1.5);
  context.strokeStyle = colour("dependent");
  context.stroke(paths.dependent);
  context.setLineDash([7, 5]);
  context.strokeStyle = colour("dependency");
  context.stroke(paths.dependency);
  context.setLineDash([]);
}

/** Draws a package: its box, in the colour and line style of its state and role, and its label. */
function drawBox(painting: Painting, place: number, { x, y }: Point): void {
  const { context, colour, frame } = painting;
  const { scene, view } = frame;
  const role = scene.roleOf(place);
  const node = scene.data.nodes[place];
  if (!node) return;
  const { affected } = node;
  const [left, top] = [x - box.width / 2, y - box.height / 2];
  context.globalAlpha = role === "other" ? 0.3 : 1;
  context.beginPath();
  context.roundRect(left, top, box.width, box.height, affected ? 13 : 3);
  const changed = node.changed ?? false;
  context.fillStyle = colour(
    changed ? "changed" : affected ? "affected" : "box",
  );
  context.fill();
  const marked = role !== "plain" && role !== "other";
  context.setLineDash(role === "dependency" ? [7, 5] : []);
  context.lineWidth =
    (role === "selected" ? 4 : marked || affected ? 2.5 : 1) /
    Math.min(1, view.scale * 1.5);
  context.strokeStyle = colour(borderColour(role, affected));
  context.stroke();
  context.setLineDash([]);
  // Smaller text isn't readable, and drawing text is the slow part.
  if (view.scale > 0.4) {
    context.fillStyle = colour(changed ? "changed-text" : "text");
    context.fillText(signs[role] + labelOf(painting, node), left + 10, y);
  }
  context.globalAlpha = 1;
}

/** Returns the name of the colour of a box's border. */
function borderColour(role: Role, affected: boolean): string {
  if (role === "selected") return "focus";
  if (role === "dependency") return "dependency";
  if (role === "dependent" || role === "both") return "dependent";
  return affected ? "affected-line" : "edge";
}

/** Draws an edge from a package down to its dependency, with an arrow head there. */
function drawEdge(
  path: Path2D,
  from: Point,
  to: Point,
  route: Route | undefined,
): void {
  // An edge of a cycle can lead up.
  const down = to.y >= from.y ? 1 : -1;
  const half = (down * box.height) / 2;
  const top = to.y - half;
  path.moveTo(from.x, from.y + half);
  if (!route) {
    path.lineTo(to.x, top);
    return;
  }
  let { x, y } = { x: from.x, y: from.y + half };
  for (const next of [...route(from, to), to]) {
    const bend = (next.y - half - y) * 0.45;
    path.bezierCurveTo(
      x,
      y + bend,
      next.x,
      next.y - half - bend,
      next.x,
      next.y - half,
    );
    if (next === to) break;
    ({ x, y } = { x: next.x, y: next.y + half });
    path.lineTo(x, y);
  }
  path.moveTo(to.x - 4, top - down * 7);
  path.lineTo(to.x, top);
  path.lineTo(to.x + 4, top - down * 7);
}

/**
 * Returns the line style of an edge. While a package is selected, only edges among its dependents or among its
 * dependencies have one.
 */
function edgeRole(
  from: Role,
  to: Role,
): "plain" | "dependent" | "dependency" | undefined {
  const above = (role: Role) => role === "dependent" || role === "both";
  const below = (role: Role) => role === "dependency" || role === "both";
  if (above(from) && (above(to) || to === "selected")) return "dependent";
  if (below(to) && (below(from) || from === "selected")) return "dependency";
  return from === "plain" && to === "plain" ? "plain" : undefined;
}
