import { listen } from "./gestures.js";
import { box, type Size } from "./layout.js";
import type { PageData } from "./page-data.js";
import { makePainter, type Scene } from "./paint.js";

/** The height of the legend, in CSS pixels. */
const LEGEND = 56;

/** The drawing, and the ways to move it. */
export interface Drawing {
  readonly show: (scene: Scene) => void;
  readonly fit: () => void;
  readonly zoom: (factor: number) => void;
  readonly centre: (place: number) => void;
  /** Returns the size of the canvas, in CSS pixels. */
  readonly size: () => Size;
}

/**
 * Draws the graph and lets people move it by dragging, wheel, two fingers and keys. It has no code for search, lists or
 * text.
 * @param tip is shown beside the pointer, with the name of the package below it
 * @param pick receives the clicked package; undefined for a click between packages
 */
export function makeDrawing(
  canvas: HTMLCanvasElement,
  data: PageData,
  tip: HTMLElement,
  pick: (place: number | undefined) => void,
): Drawing {
  const context = canvas.getContext("2d");
  if (!context) throw new Error("this browser cannot draw on a canvas");
  let scene: Scene = { data, points: new Map(), roleOf: () => "plain" };
  let view = { x: 0, y: 0, scale: 1 };
  let waiting = false;
  const paint = makePainter(context);

  const size = () => canvas.getBoundingClientRect();
  const redraw = () => {
    if (waiting) return;
    waiting = true;
    requestAnimationFrame(() => {
      waiting = false;
      draw();
    });
  };

  const draw = () => {
    const { width, height } = size();
    const ratio = globalThis.devicePixelRatio || 1;
    // Setting the size also clears the canvas.
    canvas.width = Math.round(width * ratio);
    canvas.height = Math.round(height * ratio);
    paint({ scene, view, width, height, ratio });
  };

  const placeAt = (clientX: number, clientY: number): number | undefined => {
    const { left, top } = size();
    const x = (clientX - left - view.x) / view.scale;
    const y = (clientY - top - view.y) / view.scale;
    // A finger is wider than a box in a zoomed-out drawing.
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

  const hover = (clientX: number, clientY: number) => {
    const place = placeAt(clientX, clientY);
    tip.hidden = place === undefined;
    if (place === undefined) return;
    tip.textContent = scene.data.nodes[place]?.name ?? "";
    const { left, top, width } = size();
    const x = clientX - left;
    tip.style.top = `${clientY - top + 16}px`;
    // On the right half, the tip is left of the pointer, so that it stays in the drawing.
    tip.style.left = x > width / 2 ? "" : `${x + 12}px`;
    tip.style.right = x > width / 2 ? `${width - x + 12}px` : "";
  };

  const drawing: Drawing = {
    size() {
      const { width, height } = size();
      return { width, height };
    },
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
        box.width + 32,
      );
      const y = range(
        points.map((point) => point.y),
        box.height + 130,
      );
      const scale = Math.min(1.2, width / x.length, height / y.length);
      view = {
        x: width / 2 - x.middle * scale,
        // The legend covers the lower edge.
        y: height / 2 - LEGEND / 2 - y.middle * scale,
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
    hover,
    leave: () => (tip.hidden = true),
    click: (clientX, clientY) => pick(placeAt(clientX, clientY)),
    zoom: drawing.zoom,
    fit: drawing.fit,
  });
  new ResizeObserver(redraw).observe(canvas);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", redraw);
  return drawing;
}
