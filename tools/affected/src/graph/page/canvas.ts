import { signs, type Role } from "./describe.js";
import { listen } from "./gestures.js";
import { box, type Point } from "./layout.js";
import type { PageData } from "./page-data.js";

/** What is drawn: the packages that have a point, each in its role. */
export interface Scene {
  readonly points: ReadonlyMap<number, Point>;
  readonly roleOf: (place: number) => Role;
}

/** The drawing and how to move it. */
export interface Drawing {
  readonly show: (scene: Scene) => void;
  readonly fit: () => void;
  readonly zoom: (factor: number) => void;
  readonly centre: (place: number) => void;
}

/**
 * Draws the graph and lets it be moved: dragging, wheel, two fingers, keys. Knows nothing of search, lists or words.
 * @param pick told which package was clicked; undefined for the ground between them
 */
export function makeDrawing(
  canvas: HTMLCanvasElement,
  { nodes, edges }: PageData,
  pick: (place: number | undefined) => void,
): Drawing {
  const context = canvas.getContext("2d");
  if (!context) throw new Error("this browser draws no canvas");
  let scene: Scene = { points: new Map(), roleOf: () => "plain" };
  let view = { x: 0, y: 0, scale: 1 };
  let waiting = false;
  const labels = new Map<number, string>();

  const size = () => canvas.getBoundingClientRect();
  const redraw = () => {
    if (waiting) return;
    waiting = true;
    requestAnimationFrame(() => {
      waiting = false;
      draw();
    });
  };

  const labelOf = (place: number): string => {
    const known = labels.get(place);
    if (known !== undefined) return known;
    const node = nodes[place];
    const mark = node?.affected ? "● " : "";
    let name = node?.name ?? "";
    const room = box.width - 40;
    while (name.length > 4 && context.measureText(mark + name).width > room)
      name = `${name.slice(0, Math.floor((name.length - 1) / 2) - 1)}…${name.slice(Math.ceil((name.length + 1) / 2) + 1)}`;
    labels.set(place, mark + name);
    return mark + name;
  };

  const draw = () => {
    const { width, height } = size();
    const ratio = globalThis.devicePixelRatio || 1;
    canvas.width = Math.round(width * ratio);
    canvas.height = Math.round(height * ratio);
    const style = getComputedStyle(document.documentElement);
    const colour = (name: string) => style.getPropertyValue(`--${name}`);
    context.setTransform(
      ratio * view.scale,
      0,
      0,
      ratio * view.scale,
      ratio * view.x,
      ratio * view.y,
    );
    const inSight = ({ x, y }: Point) => {
      const [left, top] = [x * view.scale + view.x, y * view.scale + view.y];
      const [w, h] = [box.width * view.scale, box.height * view.scale];
      return left > -w && left < width + w && top > -h && top < height + h;
    };
    drawEdges(colour, inSight);
    context.font = "12px system-ui, sans-serif";
    context.textBaseline = "middle";
    for (const [place, point] of scene.points)
      if (inSight(point)) drawBox(place, point, colour);
  };

  const drawEdges = (
    colour: (name: string) => string,
    inSight: (point: Point) => boolean,
  ) => {
    const paths = {
      plain: new Path2D(),
      dependent: new Path2D(),
      dependency: new Path2D(),
    };
    const straight = scene.points.size > 1500;
    let some = false;
    for (const [from, to] of edges) {
      const [end, start] = [scene.points.get(from), scene.points.get(to)];
      if (!start || !end) continue;
      const kind = edgeRole(scene.roleOf(from), scene.roleOf(to));
      if (kind === undefined) continue;
      if (straight && !inSight(start) && !inSight(end)) continue;
      some = true;
      const [x1, x2] = [start.x + box.width / 2, end.x - box.width / 2];
      const path = paths[kind];
      path.moveTo(x1, start.y);
      if (straight) path.lineTo(x2, end.y);
      else
        path.bezierCurveTo(
          x1 + box.gapX,
          start.y,
          x2 - box.gapX,
          end.y,
          x2,
          end.y,
        );
    }
    if (!some) return;
    context.setLineDash([]);
    context.strokeStyle = colour("edge");
    context.lineWidth = 1;
    context.globalAlpha = straight ? 0.15 : 0.55;
    context.stroke(paths.plain);
    context.globalAlpha = 1;
    context.lineWidth = 2 / Math.min(1, view.scale * 1.5);
    context.strokeStyle = colour("dependent");
    context.stroke(paths.dependent);
    context.setLineDash([7, 5]);
    context.strokeStyle = colour("dependency");
    context.stroke(paths.dependency);
    context.setLineDash([]);
  };

  const drawBox = (
    place: number,
    { x, y }: Point,
    colour: (name: string) => string,
  ) => {
    const role = scene.roleOf(place);
    const affected = nodes[place]?.affected ?? false;
    const [left, top] = [x - box.width / 2, y - box.height / 2];
    context.globalAlpha = role === "other" ? 0.3 : 1;
    context.beginPath();
    context.roundRect(left, top, box.width, box.height, affected ? 13 : 3);
    context.fillStyle = colour(affected ? "affected" : "box");
    context.fill();
    const marked = role !== "plain" && role !== "other";
    context.setLineDash(role === "dependency" ? [7, 5] : []);
    context.lineWidth =
      (role === "selected" ? 4 : marked || affected ? 2.5 : 1) /
      Math.min(1, view.scale * 1.5);
    context.strokeStyle = colour(
      role === "selected"
        ? "focus"
        : role === "dependency"
          ? "dependency"
          : marked
            ? "dependent"
            : affected
              ? "affected-line"
              : "edge",
    );
    context.stroke();
    context.setLineDash([]);
    // Smaller than this nobody can read, and text is what takes long to draw.
    if (view.scale > 0.4) {
      context.fillStyle = colour("text");
      context.fillText(signs[role] + labelOf(place), left + 10, y);
    }
    context.globalAlpha = 1;
  };

  const placeAt = (clientX: number, clientY: number): number | undefined => {
    const { left, top } = size();
    const x = (clientX - left - view.x) / view.scale;
    const y = (clientY - top - view.y) / view.scale;
    // A finger is wider than a box of a drawing that is zoomed out.
    const slack = Math.min(8 / view.scale, 60);
    for (const [place, point] of scene.points)
      if (
        Math.abs(point.x - x) <= box.width / 2 + slack / 2 &&
        Math.abs(point.y - y) <= box.height / 2 + slack / 4
      )
        return place;
    return undefined;
  };

  const zoomAt = (factor: number, x: number, y: number) => {
    const scale = Math.min(3, Math.max(0.01, view.scale * factor));
    const by = scale / view.scale;
    view = { x: x - (x - view.x) * by, y: y - (y - view.y) * by, scale };
    redraw();
  };

  const drawing: Drawing = {
    show(next) {
      scene = next;
      redraw();
    },
    fit() {
      const { width, height } = size();
      const points = [...scene.points.values()];
      const range = (values: number[], margin: number) => {
        const least = values.reduce((a, b) => Math.min(a, b), Infinity);
        const most = values.reduce((a, b) => Math.max(a, b), -Infinity);
        return { middle: (least + most) / 2, length: most - least + margin };
      };
      if (points.length === 0) return;
      const x = range(
        points.map((point) => point.x),
        box.width + 40,
      );
      const y = range(
        points.map((point) => point.y),
        box.height + 100,
      );
      const scale = Math.min(1.2, width / x.length, height / y.length);
      view = {
        x: width / 2 - x.middle * scale,
        y: height / 2 - y.middle * scale,
        scale,
      };
      redraw();
    },
    zoom(factor) {
      const { width, height } = size();
      zoomAt(factor, width / 2, height / 2);
    },
    centre(place) {
      const point = scene.points.get(place);
      if (!point) return;
      const { width, height } = size();
      const scale = Math.max(view.scale, 0.8);
      view = {
        x: width / 2 - point.x * scale,
        y: height / 2 - point.y * scale,
        scale,
      };
      redraw();
    },
  };
  listen(canvas, {
    move(dx, dy) {
      view = { ...view, x: view.x + dx, y: view.y + dy };
      redraw();
    },
    zoomAt: (factor, clientX, clientY) => {
      const { left, top } = size();
      zoomAt(factor, clientX - left, clientY - top);
    },
    click: (clientX, clientY) => pick(placeAt(clientX, clientY)),
    zoom: drawing.zoom,
    fit: drawing.fit,
  });
  new ResizeObserver(redraw).observe(canvas);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", redraw);
  return drawing;
}

/** Which line an edge gets: while something is selected, only edges within what depends on it or what it depends on. */
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
