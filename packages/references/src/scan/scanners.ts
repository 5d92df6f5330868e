import type { FileFacts } from "../reference.js";
import { scanComponent } from "./component.js";
import { scanManifest } from "./manifest.js";
import { scanSource, type ParseSync } from "./source.js";
import { scanStyle } from "./style.js";
import { scanToolConfig } from "./tool-config.js";
import { scanTsconfig } from "./tsconfig.js";

/** Part of the kept index's key: raise it whenever any scanner finds something else than before. */
export const SCANNERS_VERSION = 1;

/** One kind of file: which names it has, and how it is read. */
export interface Scanner {
  /** A word for the kind. Two files with the same bytes and the same scanner have the same facts. */
  readonly id: string;
  readonly matches: RegExp;
  scan(text: string, parseSync: ParseSync): FileFacts;
}

const source = (ending: string): Scanner => ({
  id: ending,
  matches: new RegExp(`\\.${ending.replaceAll(".", "\\.")}$`),
  scan: (text, parseSync) => scanSource(`file.${ending}`, text, parseSync),
});

const component = (ending: string): Scanner => ({
  id: ending,
  matches: new RegExp(`\\.${ending}$`),
  scan: (text, parseSync) => scanComponent(text, parseSync),
});

const symlink: Scanner = {
  id: "symlink",
  matches: /(?!)/, // Git's mode tells a symlink, its name does not.
  scan: (text) => ({
    references: [
      {
        specifier: text.startsWith("/") ? text : `./${text}`,
        kind: "symlink",
        line: 1,
        column: 1,
      },
    ],
  }),
};

/** Every kind of file that is read, the first that matches counts. */
export const SCANNERS: readonly Scanner[] = [
  { id: "manifest", matches: /(^|\/)package\.json$/, scan: scanManifest },
  {
    id: "tsconfig",
    // Also `base.json` in a folder of shared configurations.
    matches:
      /(^|\/)[^/]*([tj]sconfig|ts-config|typescript-config)[^/]*(\/[^/]+)?\.json$/,
    scan: scanTsconfig,
  },
  {
    id: "tool",
    matches:
      /(^|\/)(jest[^/]*\.json|\.?babelrc(\.json)?|babel\.config\.json|\.eslintrc(\.json)?|\.prettierrc(\.json)?|\.mocharc\.jsonc?|\.swcrc|\.lintstagedrc(\.json)?|\.stylelintrc(\.json)?)$/,
    scan: scanToolConfig,
  },
  ...[
    "d.ts",
    "d.mts",
    "d.cts",
    "ts",
    "tsx",
    "mts",
    "cts",
    "js",
    "jsx",
    "mjs",
    "cjs",
  ].map(source),
  ...["vue", "svelte"].map(component),
  {
    id: "style",
    matches: /\.(css|scss|sass|less|pcss|postcss)$/,
    scan: scanStyle,
  },
];

/** The scanner for a file. @returns undefined for a file that is not read */
export function scannerFor(path: string, mode: string): Scanner | undefined {
  if (mode === "120000") return symlink;
  if (mode === "160000") return undefined;
  return SCANNERS.find(({ matches }) => matches.test(path));
}

/** Files above this many bytes are not read: generated bundles, data. */
export const LARGEST_FILE = 5_000_000;

/**
 * What a file refers to; a pure function of its scanner and its bytes.
 * @returns facts with a reason in `unparsed` for a file that is too large or not text
 */
export function scanBytes(
  scanner: Scanner,
  bytes: Buffer,
  parseSync: ParseSync,
): FileFacts {
  if (bytes.length > LARGEST_FILE)
    return { references: [], unparsed: `larger than ${LARGEST_FILE} bytes` };
  if (bytes.includes(0)) return { references: [], unparsed: "not text" };
  const text = bytes.toString("utf8");
  // The parser takes a byte order mark before `#!` for an error.
  return scanner.scan(
    text.startsWith("\uFEFF") ? text.slice(1) : text,
    parseSync,
  );
}
