import type { FileFacts } from "../../reference.js";
import { addInnerPaths } from "../javascript/open-ends.js";
import { GOES_UP } from "../path-strings.js";
import { Collector } from "../positions.js";
import { addRootGuesses } from "../root-guesses.js";
import { surelyWildAt, blank } from "../wild.js";

const RULES =
  /(?:@(?:import|use|forward|reference|plugin|config|require|source)\s+(?:\([^)]*\)\s*)?(?:url\(\s*)?|:import\(\s*|\bload-css\(\s*)["']?([^"'\s;)]+)/dg;
/** A list of stylesheets, which Sass and Less accept: `@import "a", "b"`. */
const IMPORTS = /@import\s(?:[^;{}\n,]*,\s*)+[^;{}\n,]*/g;
const LISTED = /,\s*["']([^"']+)["']/dg;
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

/** Notes a stylesheet or another file that a rule names. A path without a dot may be a package. */
function addStylesheet(
  specifier: string,
  offset: number,
  found: Collector,
): void {
  if (/^(data|https?|sass):|^[/#]/.test(specifier)) return;
  const name = specifier.replace(/^~|^pkg:/, "");
  const wild = surelyWildAt(name);
  if (wild >= 0) {
    found.add(name.slice(0, wild), "glob", offset, true);
    return;
  }
  found.add(name, "style", offset);
  // Programs may run in the package's folder, or in the project's.
  if (GOES_UP.test(name)) found.add(name, "path-string", offset);
  if (BARE_PATH.test(name)) found.add(name, "root-guess", offset);
  if (!/^[.@~]|^pkg:/.test(specifier)) found.add(`./${name}`, "style", offset);
}

/**
 * Returns the references of a stylesheet.
 */
export function scanStyle(whole: string): FileFacts {
  const text = whole.includes("@source")
    ? whole.replaceAll(NO_SOURCE, blank)
    : whole;
  const found = new Collector(text);
  const add = (
    { 1: specifier, indices }: RegExpMatchArray,
    from: number,
  ): void => {
    const place = indices?.[1];
    if (specifier !== undefined && place)
      addStylesheet(specifier, from + place[0], found);
  };
  for (const form of [RULES, FROM, URLS])
    for (const match of text.matchAll(form)) add(match, 0);
  for (const { 0: list, index } of text.matchAll(IMPORTS))
    for (const match of list.matchAll(LISTED)) add(match, index);
  for (const match of text.matchAll(SOURCES)) {
    const place = match.indices?.[1];
    if (match[1] !== undefined && place)
      found.add(`./${match[1].replace(/\/$/, "")}/`, "glob", place[0], true);
  }
  // Functions of a dialect, and other places with a path that goes up.
  addInnerPaths(text, 0, found);
  addRootGuesses(text, found);
  return { references: found.references() };
}
