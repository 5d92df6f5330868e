import { styleText } from "node:util";
import type { Out } from "./run-cli.js";

/** A function that applies one style to a text, or returns it unchanged if colour is off. */
export type Style = (text: string) => string;

/**
 * The few styles that Skein's tools use. A style never carries meaning by itself: a word or a mark expresses it too.
 */
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
 * on, as in Node), NO_COLOR (any text, see no-color.org), TERM=dumb, and else whether the stream is a terminal.
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
    // `wantsColour` has already decided, for the caller's stream. Node would check process.stdout again.
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
