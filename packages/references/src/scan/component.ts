import type { FileFacts } from "../reference.js";
import { addInnerPaths } from "./open-ends.js";
import { Collector } from "./positions.js";
import { addRootGuesses } from "./root-guesses.js";
import { scanSource, type ParseSync } from "./source.js";
import { scanStyle } from "./style.js";

const BLOCK = /<(script|style)\b([^>]*)>([^]*?)<\/\1\s*>/g;

/**
 * Returns the references of a Vue or Svelte component, from its script and style blocks; all other text is replaced by
 * spaces, so that positions stay valid.
 */
export function scanComponent(text: string, parseSync: ParseSync): FileFacts {
  const parts: FileFacts[] = [];
  for (const match of text.matchAll(BLOCK)) {
    const [whole, tag, attributes = "", body = ""] = match;
    const start = match.index + whole.indexOf(">", 0) + 1;
    const blank = text.slice(0, start).replace(/[^\n]/g, " ") + body;
    const lang = /\blang=["']?(\w+)/.exec(attributes)?.[1] ?? "js";
    parts.push(
      tag === "style"
        ? scanStyle(blank)
        : scanSource(`block.${lang}`, blank, parseSync),
    );
    const source = /\bsrc=["']([^"']+)/d.exec(attributes);
    const place = source?.indices?.[1];
    if (source?.[1] !== undefined && place) {
      const pad = text.slice(0, match.index).replace(/[^\n]/g, " ");
      parts.push(
        scanSource(
          "block.js",
          `${pad}import ${JSON.stringify(source[1])};`,
          parseSync,
        ),
      );
    }
  }
  // The template, and blocks of other languages: their attributes name files.
  const rest = new Collector(
    text.replace(BLOCK, (block) => block.replace(/[^\n]/g, " ")),
  );
  addInnerPaths(rest.text, 0, rest);
  addRootGuesses(rest.text, rest);
  parts.push({ references: rest.references() });
  const unparsed = parts.find((part) => part.unparsed !== undefined)?.unparsed;
  return {
    references: parts.flatMap((part) => part.references),
    ...(unparsed !== undefined && { unparsed }),
  };
}
