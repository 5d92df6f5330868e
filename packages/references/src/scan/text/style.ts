import type { FileFacts } from "../../reference.js";
import { addInnerPaths } from "../javascript/open-ends.js";
import { GOES_UP } from "../path-strings.js";
import { Collector } from "../positions.js";
import { addRootGuesses } from "../root-guesses.js";
import { surelyWildAt, blank } from "../wild.js";

const RULES =
  /(?:@(?:import|use|forward|reference|plugin|config|require|source)\s+(?:\([^)]*\)\s*)?(?:url\(\s*)?|:import\(\s*)["']?([^"'\s;)]+)/dg;
/** The same for names of packages with a path, in quotes. */
const QUOTED_RULES =
  /@(?:import|use|forward|reference|plugin|config)\s+(?:\([^)]*\)\s*)?["'](?:~|pkg:)?(@?[\w-][^"'\s]*\/[^"'\s]+)["']/dg;
/** CSS modules: `composes: a from "…"`, `@value a from "…"`. */
const FROM = /(?:composes\s*:|@value\s)[^;{}]*?\sfrom\s+["']([^"']+)/dg;
const URLS = /url\(\s*["']?([^"')\s]+)/dg;

/** A path without a dot, and nothing else. */
const BARE_PATH = /^\w[\w.-]*(?:\/[\w.@-]+)+$/;

/** Folders that Tailwind searches: `@source "…"`, `@import "tailwindcss" source("…")`. */
const SOURCES = /(?:@source\s+|\bsource\(\s*)["']([^"'*{]+)["']/dg;
/** A folder that it doesn't search. */
const NO_SOURCE = /@source\s+not\s+["'][^"'\n]*["']/g;

/**
 * Notes the packages that a part of a stylesheet in a string of another language loads, such as `additionalData` in Vite's
 * settings. It isn't known which file loads the string, so relative paths are skipped.
 */
export function addStyleRules(
  text: string,
  offset: number,
  found: Collector,
): void {
  if (!text.includes("@")) return;
  for (const { 1: name = "", indices } of text.matchAll(QUOTED_RULES))
    if (surelyWildAt(name) < 0)
      found.add(name, "style", offset + (indices?.[1]?.[0] ?? 0));
}

/**
 * Returns the references of a stylesheet. A path without a dot is relative too, but may also be a package: both are noted.
 */
export function scanStyle(whole: string): FileFacts {
  const text = whole.includes("@source")
    ? whole.replaceAll(NO_SOURCE, blank)
    : whole;
  const found = new Collector(text);
  for (const form of [RULES, FROM, URLS])
    for (const match of text.matchAll(form)) {
      const specifier = match[1];
      const place = match.indices?.[1];
      if (
        specifier === undefined ||
        !place ||
        /^(data|https?|sass):|^[/#]/.test(specifier)
      )
        continue;
      const name = specifier.replace(/^~|^pkg:/, "");
      const wild = surelyWildAt(name);
      if (wild >= 0) {
        found.add(name.slice(0, wild), "glob", place[0], true);
        continue;
      }
      found.add(name, "style", place[0]);
      // Programs may run in the package's folder, or in the project's.
      if (GOES_UP.test(name)) found.add(name, "path-string", place[0]);
      if (BARE_PATH.test(name)) found.add(name, "root-guess", place[0]);
      if (!/^[.@~]|^pkg:/.test(specifier))
        found.add(`./${name}`, "style", place[0]);
    }
  for (const match of text.matchAll(SOURCES)) {
    const place = match.indices?.[1];
    if (match[1] !== undefined && place)
      found.add(`./${match[1].replace(/\/$/, "")}/`, "glob", place[0], true);
  }
  // Lists (`@import "a", "../../b/c"`), functions of a dialect, and other places with a path that goes up.
  addInnerPaths(text, 0, found);
  addRootGuesses(text, found);
  return { references: found.references() };
}
