import { styleText } from "node:util";
import type { Out } from "./run-cli.js";

/** Puts a text in one style; or gives it back as it is, where colour is not wanted. */
export type Style = (text: string) => string;

/** The few styles Skein's tools use. None carries a meaning alone: a word or a mark always says it too. */
export interface Palette {
  readonly bold: Style;
  readonly dim: Style;
  readonly red: Style;
  readonly green: Style;
  readonly yellow: Style;
  readonly cyan: Style;
}

/**
 * Returns whether a stream gets colour. In this order: FORCE_COLOR (`0` or `false` turns colour off, any other value
 * on, as Node
 * reads it), NO_COLOR (any text, see no-color.org), TERM=dumb, and else whether the stream is a terminal.
 */
export function wantsColour(
  env: Readonly<Record<string, string | undefined>>,
  out: Pick<Out, "isTTY">,
): boolean {
  const force = env["FORCE_COLOR"];
  if (force !== undefined) return force !== "0" && force !== "false";
  if ((env["NO_COLOR"] ?? "") !== "" || env["TERM"] === "dumb") return false;
  return out.isTTY === true;
}

const plain: Style = (text) => text;

/** Returns the styles, or functions that change nothing. */
export function palette(colour: boolean): Palette {
  const style = (format: keyof Palette): Style =>
    // The decision is made above, from what the caller was given; Node would look at process.stdout again.
    colour
      ? (text) => styleText(format, text, { validateStream: false })
      : plain;
  return {
    bold: style("bold"),
    dim: style("dim"),
    red: style("red"),
    green: style("green"),
    yellow: style("yellow"),
    cyan: style("cyan"),
  };
}
