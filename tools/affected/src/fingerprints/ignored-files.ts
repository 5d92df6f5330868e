import { readFileSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { remember } from "@skein/reporting/group-by";
import {
  compileGlobs,
  openSettingsCheck,
  scriptCache,
  scriptsBefore,
} from "@skein/workspaces";
import type { LocalSurvey } from "../survey.js";
import { entriesOf, isLeftByTools } from "./outside-git.js";

/** The maximum number of files that are read below one ignored folder. A larger folder makes the fingerprint unknown. */
const MOST = 2_000;

/** Matches texts that may name a path although no script reads it. */
const NOT_SEARCHED = /(?:^|\/)\.[^/]*ignore$|\.(?:md|lock)$/;

/** The maximum size of a text that is searched, in bytes. */
const LARGEST = 1_000_000;

/**
 * Chooses the ignored files that count: settings that programs look up, files that a package refers to, files whose name a
 * text of their package contains, files outside of all packages, and those of packages that git ignores. Outputs of scripts don't count. If the pipeline runs
 * another script of a package before, the ignored files of that package don't count either: that script makes them from
 * sources that count.
 */
export function chooseIgnored(
  facts: LocalSurvey,
  script: string | undefined,
  ignored: readonly string[],
  known: Iterable<string>,
): readonly string[] {
  const { head, settings, root } = facts;
  const earlierIn = remember(
    (name: string) => new Set(scriptsBefore(settings.pipeline, script, name)),
  );
  const manifests = new Map(head.packages.map((each) => [each.dir, each]));
  const paths = ignored.length === 0 ? [] : [...known];
  const isIgnoredPackage = openIsIgnoredPackage(paths);
  const open = ignored.flatMap((path) => {
    const { name, dir } = head.graph.ownerOf(path);
    // Such files beside a package.json always count.
    if (
      basename(path).startsWith(".env") &&
      within(path, dir) === basename(path)
    )
      return [];
    const { manifest } = manifests.get(dir) ?? {};
    const scripts = Object.keys(manifest?.scripts ?? {});
    if (
      dir !== "." &&
      !isIgnoredPackage(dir) &&
      scripts.some((each) => earlierIn(name).has(each))
    )
      return [];
    const isOutput = scripts.some((each) => {
      const rule = scriptCache(settings.cache, each);
      return (
        rule !== false &&
        compileGlobs(rule.outputs)(
          within(`${path}${path.endsWith("/") ? "x" : ""}`, dir),
        )
      );
    });
    return isOutput ? [] : [{ path, dir }];
  });
  if (open.length === 0) return [];
  const dirs = new Set(open.map(({ dir }) => dir).filter((dir) => dir !== "."));
  const texts = new Map([...dirs].map((dir) => [dir, [] as string[]]));
  for (const path of dirs.size === 0 ? [] : paths) {
    const list = texts.get(head.graph.ownerOf(path).dir);
    if (list && !NOT_SEARCHED.test(path)) list.push(path);
  }
  const isSettings = openSettingsCheck(head);
  return open.flatMap(({ path, dir }) => {
    // Programs look settings up by their names.
    if (isSettings(basename(path)) && !path.endsWith("/")) return [path];
    const words = wordsFor(path);
    const isNamed = texts
      .get(dir)
      ?.some((file) => words.test(textOf(join(root, file))));
    return dir === "." ||
      isIgnoredPackage(dir) ||
      isNamed === true ||
      isReferredTo(facts, path)
      ? [path]
      : [];
  });
}

/** Opens a check whether git ignores a package's own manifest: any ignored file of such a package may be a source. */
function openIsIgnoredPackage(
  paths: readonly string[],
): (dir: string) => boolean {
  const listed = new Set(
    paths.filter((path) => path.endsWith("/package.json")),
  );
  return (dir) => dir !== "." && !listed.has(`${dir}/package.json`);
}

/** A file that counts, or a folder with too many files to read. */
export interface IgnoredFile {
  readonly path: string;
  readonly isTooMuch: boolean;
}

/** Lists the files that the chosen paths mean. @param chosen paths from `chooseIgnored` */
export function filesOfIgnored(
  root: string,
  chosen: readonly string[],
): readonly IgnoredFile[] {
  return chosen.flatMap((path): readonly IgnoredFile[] => {
    if (!path.endsWith("/")) return [{ path, isTooMuch: false }];
    const files = filesBelow(root, path.slice(0, -1), MOST);
    return files.length >= MOST
      ? [{ path, isTooMuch: true }]
      : files.map((file) => ({ path: file, isTooMuch: false }));
  });
}

function filesBelow(root: string, dir: string, most: number): string[] {
  const found: string[] = [];
  for (const entry of entriesOf(join(root, dir))) {
    const path = `${dir}/${entry.name}`;
    if (isLeftByTools(path)) continue;
    if (entry.isDirectory())
      found.push(...filesBelow(root, path, most - found.length));
    else found.push(path);
    if (found.length >= most) break;
  }
  return found.sort();
}

function within(path: string, dir: string): string {
  return dir === "." ? path : path.slice(dir.length + 1);
}

/** Returns a pattern for the name of an ignored file or folder in a text, with or without its extension. */
function wordsFor(path: string): RegExp {
  const name = basename(path);
  const stem = name.replace(/(?<=.)\.(?:d\.)?[cm]?[jt]sx?$|(?<=.)\.json$/, "");
  const either = [...new Set([name, stem])].map((each) =>
    each.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"),
  );
  return new RegExp(`(?<![\\w$-])(?:${either.join("|")})(?![\\w$-])`);
}

function textOf(file: string): string {
  try {
    return statSync(file).size > LARGEST ? "" : readFileSync(file, "utf8");
  } catch {
    return "";
  }
}

function isReferredTo({ references }: LocalSurvey, path: string): boolean {
  const file = path.endsWith("/") ? `${path}x` : path;
  return (references?.usersOf(file).length ?? 0) > 0;
}
