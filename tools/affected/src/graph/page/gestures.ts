/** The effects of pointers and keys on a drawing; lengths are in CSS pixels. */
export interface Gestures {
  move(dx: number, dy: number): void;
  zoomAt(factor: number, clientX: number, clientY: number): void;
  /** Called when a pointer moves over the drawing with no button down. */
  hover(clientX: number, clientY: number): void;
  leave(): void;
  click(clientX: number, clientY: number): void;
  zoom(factor: number): void;
  fit(): void;
}

/** Turns pointers, wheel and keys on an element into gestures. */
export function listen(element: HTMLElement, gestures: Gestures): void {
  const down = new Map<number, { x: number; y: number }>();
  let travelled = 0;
  const spread = () => {
    const [a, b] = [...down.values()];
    return a && b ? Math.hypot(a.x - b.x, a.y - b.y) : 0;
  };
  element.addEventListener("pointerdown", (event) => {
    element.setPointerCapture(event.pointerId);
    down.set(event.pointerId, { x: event.clientX, y: event.clientY });
    if (down.size === 1) travelled = 0;
  });
  element.addEventListener("pointermove", (event) => {
    const last = down.get(event.pointerId);
    if (!last) {
      gestures.hover(event.clientX, event.clientY);
      return;
    }
    gestures.leave();
    const before = spread();
    const [dx, dy] = [event.clientX - last.x, event.clientY - last.y];
    down.set(event.pointerId, { x: event.clientX, y: event.clientY });
    travelled += Math.abs(dx) + Math.abs(dy);
    gestures.move(dx / down.size, dy / down.size);
    if (before > 0)
      gestures.zoomAt(spread() / before, event.clientX, event.clientY);
  });
  element.addEventListener("pointerup", (event) => {
    // A hand always moves a little, so short movements are clicks.
    if (down.size === 1 && travelled < 6)
      gestures.click(event.clientX, event.clientY);
    down.delete(event.pointerId);
  });
  element.addEventListener("pointerleave", () => gestures.leave());
  element.addEventListener("pointercancel", (event) => {
    down.delete(event.pointerId);
  });
  element.addEventListener(
    "wheel",
    (event) => {
      event.preventDefault();
      gestures.zoomAt(
        Math.exp(-event.deltaY / 400),
        event.clientX,
        event.clientY,
      );
    },
    { passive: false },
  );
  const keys: Readonly<Record<string, () => void>> = {
    ArrowLeft: () => gestures.move(60, 0),
    ArrowRight: () => gestures.move(-60, 0),
    ArrowUp: () => gestures.move(0, 60),
    ArrowDown: () => gestures.move(0, -60),
    "+": () => gestures.zoom(1.3),
    "=": () => gestures.zoom(1.3),
    "-": () => gestures.zoom(1 / 1.3),
    "0": () => gestures.fit(),
  };
  element.addEventListener("keydown", (event) => {
    const act = keys[event.key];
    if (!act || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    act();
  });
}
