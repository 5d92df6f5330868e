import { listen } from "./gestures.js";
import { box, type Size } from "./layout.js";
import type { PageData } from "./page-data.js";
import { makePainter, type Frame, type Scene } from "./paint.js";

/** The height of the buttons above the drawing, in CSS pixels. */
const BUTTONS = 48;

/** The drawing, and the ways to move it. */
export interface Drawing {
  readonly show: (scene: Scene) => void;
  readonly fit: () => void;
  readonly zoom: (factor: number) => void;
  /** Moves the drawing if a package isn't in sight, or its name isn't readable. */
  readonly reveal: (place: number) => void;
  /** Returns the size of the canvas, in CSS pixels. */
  readonly size: () => Size;
}

/** The elements of a drawing, what it shows, and where. */
interface CanvasState {
  readonly canvas: HTMLCanvasElement;
  readonly tip: HTMLElement;
  readonly paint: (frame: Frame) => void;
  scene: Scene;
  view: Frame["view"];
  /** Whether a drawing is requested for the next frame. */
  waiting: boolean;
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
  const state: CanvasState = {
    canvas,
    tip,
    paint: makePainter(context),
    scene: { data, points: new Map(), roleOf: () => "plain" },
    view: { x: 0, y: 0, scale: 1 },
    waiting: false,
  };
  const drawing: Drawing = {
    size() {
      const { width, height } = canvas.getBoundingClientRect();
      return { width, height };
    },
    show(scene) {
      state.scene = scene;
      redraw(state);
    },
    fit: () => fitScene(state),
    zoom(factor) {
      const { width, height } = canvas.getBoundingClientRect();
      zoomAt(state, factor, width / 2, height / 2);
    },
    reveal: (place) => reveal(state, place),
  };
  listen(canvas, {
    move: (dx, dy) =>
      moveView(state, {
        ...state.view,
        x: state.view.x + dx,
        y: state.view.y + dy,
      }),
    zoomAt: (factor, clientX, clientY) => {
      const { left, top } = canvas.getBoundingClientRect();
      zoomAt(state, factor, clientX - left, clientY - top);
    },
    hover: (clientX, clientY) => showTip(state, clientX, clientY),
    leave: () => (tip.hidden = true),
    click: (clientX, clientY) => pick(placeAt(state, clientX, clientY)),
    zoom: drawing.zoom,
    fit: drawing.fit,
  });
  const onChange = () => redraw(state);
  new ResizeObserver(onChange).observe(canvas);
  matchMedia("(prefers-color-scheme: dark)").addEventListener(
    "change",
    onChange,
  );
  return drawing;
}

/** Draws with the next frame. Several requests before it result in one drawing. */
function redraw(state: CanvasState): void {
  if (state.waiting) return;
  state.waiting = true;
  requestAnimationFrame(() => {
    state.waiting = false;
    drawFrame(state);
  });
}

function drawFrame({ canvas, paint, scene, view }: CanvasState): void {
  const { width, height } = canvas.getBoundingClientRect();
  const ratio = globalThis.devicePixelRatio || 1;
  // Setting the size also clears the canvas.
  canvas.width = Math.round(width * ratio);
  canvas.height = Math.round(height * ratio);
  paint({ scene, view, width, height, ratio });
}

/** Draws the same scene at another position or scale. */
function moveView(state: CanvasState, view: Frame["view"]): void {
  state.view = view;
  redraw(state);
}

/** Returns the package at a point of the window. */
function placeAt(
  { canvas, scene, view }: CanvasState,
  clientX: number,
  clientY: number,
): number | undefined {
  const { left, top } = canvas.getBoundingClientRect();
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
}

/** Changes the scale. The point at x and y, in CSS pixels, stays where it is. */
function zoomAt(
  state: CanvasState,
  factor: number,
  x: number,
  y: number,
): void {
  const { view } = state;
  const scale = Math.min(3, Math.max(0.01, view.scale * factor));
  const by = scale / view.scale;
  moveView(state, {
    x: x - (x - view.x) * by,
    y: y - (y - view.y) * by,
    scale,
  });
}

/** Shows the name of the package at a point of the window beside it, or hides the tip. */
function showTip(state: CanvasState, clientX: number, clientY: number): void {
  const { canvas, tip, scene } = state;
  const place = placeAt(state, clientX, clientY);
  tip.hidden = place === undefined;
  if (place === undefined) return;
  tip.textContent = scene.data.nodes[place]?.name ?? "";
  const { left, top, width } = canvas.getBoundingClientRect();
  const x = clientX - left;
  tip.style.top = `${clientY - top + 16}px`;
  // On the right half, the tip is left of the pointer, so that it stays in the drawing.
  tip.style.left = x > width / 2 ? "" : `${x + 12}px`;
  tip.style.right = x > width / 2 ? `${width - x + 12}px` : "";
}

/** Moves and scales the drawing so that all its packages are in sight. */
function fitScene(state: CanvasState): void {
  const { width, height } = state.canvas.getBoundingClientRect();
  const points = [...state.scene.points.values()];
  if (points.length === 0) return;
  const x = rangeOf(
    points.map((point) => point.x),
    box.width + 32,
  );
  const y = rangeOf(
    points.map((point) => point.y),
    box.height + 32,
  );
  const free = Math.max(height - BUTTONS, 1);
  const scale = Math.min(1.6, width / x.length, free / y.length);
  moveView(state, {
    x: width / 2 - x.middle * scale,
    y: BUTTONS + free / 2 - y.middle * scale,
    scale,
  });
}

/** Returns the middle of values, and the distance between the least and the greatest with a margin. */
function rangeOf(
  values: readonly number[],
  margin: number,
): { readonly middle: number; readonly length: number } {
  const least = values.reduce((a, b) => Math.min(a, b), Infinity);
  const most = values.reduce((a, b) => Math.max(a, b), -Infinity);
  return { middle: (least + most) / 2, length: most - least + margin };
}

/** The smallest scale at which names are easy to read. */
const READABLE = 0.6;

/**
 * Moves a package to the middle, at a scale at which its name is readable. If it can be read already, nothing moves, so
 * that its surroundings stay in sight.
 */
function reveal(state: CanvasState, place: number): void {
  const point = state.scene.points.get(place);
  if (!point) return;
  const { view } = state;
  const { width, height } = state.canvas.getBoundingClientRect();
  const [x, y] = [point.x * view.scale + view.x, point.y * view.scale + view.y];
  const [w, h] = [(box.width * view.scale) / 2, (box.height * view.scale) / 2];
  const isWhole =
    x >= w && x <= width - w && y >= BUTTONS + h && y <= height - h;
  if (isWhole && view.scale >= READABLE) return;
  const scale = Math.max(view.scale, 0.8);
  moveView(state, {
    x: width / 2 - point.x * scale,
    y: height / 2 - point.y * scale,
    scale,
  });
}
