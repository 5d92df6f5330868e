import type { FileFacts } from "../reference.js";
import { Collector } from "./positions.js";

const RULES =
  /@(?:import|use|forward|reference|plugin|config|require)\s+(?:\([^)]*\)\s*)?(?:url\(\s*)?["']?([^"'\s;)]+)/dg;
const URLS = /url\(\s*["']?([^"')\s]+)/dg;

/** What a stylesheet refers to. A path without a dot is relative all the same, and may be a package: both are noted. */
export function scanStyle(text: string): FileFacts {
  const found = new Collector(text);
  for (const form of [RULES, URLS])
    for (const match of text.matchAll(form)) {
      const specifier = match[1];
      const place = match.indices?.[1];
      if (
        specifier === undefined ||
        !place ||
        /^(data|https?|sass):|^[/#]/.test(specifier)
      )
        continue;
      const name = specifier.replace(/^~/, "");
      found.add(name, "style", place[0]);
      if (!/^[.@~]/.test(specifier)) found.add(`./${name}`, "style", place[0]);
    }
  return { references: found.references() };
}
