import { unquote } from "./catalogs.js";
import type { PackageFacts } from "./project.js";

/** An error for `workspaceProfiles` of .yarnrc.yml in an unsupported form. */
export class ProfilesError extends Error {
  override readonly name = "ProfilesError";
  /** 1-based. */
  readonly line: number;

  constructor(line: number) {
    super(`.yarnrc.yml, line ${line}`);
    this.line = line;
  }
}

/** Development dependencies that Yarn 6 adds to all workspaces that extend the profile. */
interface Profile {
  readonly extends: string[];
  readonly devDependencies: (readonly [ident: string, range: string])[];
}

/**
 * Parses `workspaceProfiles` of .yarnrc.yml (Yarn 6): plain nested keys, and lists of names.
 * @throws {ProfilesError} for another form, because a dependency in it would be missed
 */
export function readProfiles(text: string): ReadonlyMap<string, Profile> {
  const profiles = new Map<string, Profile>();
  let isInside = false;
  let profile: Profile | undefined;
  let field: string | undefined;
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    if (/^\s*(#|$)/.test(line)) continue;
    const failure = new ProfilesError(index + 1);
    if (!line.startsWith(" ")) {
      isInside = /^["']?workspaceProfiles["']?\s*:/.test(line);
      if (isInside && !/^workspaceProfiles:\s*(#.*)?$/.test(line))
        throw failure;
      continue;
    }
    if (!isInside) continue;
    const [, indent = "", dash, key, value = ""] =
      LINE.exec(line.replace(/\s+#.*$/, "")) ?? [];
    if (dash !== undefined && profile && field === "extends") {
      profile.extends.push(unquote(dash));
    } else if (key === undefined) {
      throw failure;
    } else if (indent.length === 2 && value === "") {
      profile = { extends: [], devDependencies: [] };
      field = undefined;
      profiles.set(unquote(key), profile);
    } else if (indent.length === 4 && profile && FIELDS.has(key)) {
      field = key;
      if (value === "") continue;
      const list = /^\[([\w@/ ,"'-]*)\]$/.exec(value)?.[1];
      if (field !== "extends" || list === undefined) throw failure;
      const names = list.split(",").map((name) => unquote(name.trim()));
      profile.extends.push(...names.filter(Boolean));
    } else if (
      indent.length === 6 &&
      field === "devDependencies" &&
      /^("[^"\\]+"|'[^']+'|[^\s"'#&*!|>{[%@`][^#]*)$/.test(value)
    ) {
      profile?.devDependencies.push([unquote(key), unquote(value)]);
    } else throw failure;
  }
  return profiles;
}

const FIELDS = new Set(["extends", "devDependencies"]);

/** Matches `- name`, or `key: value`. */
const LINE =
  /^( +)(?:- *("[^"]+"|'[^']+'|[^\s"'#]+)|("[^"]+"|'[^']+'|[^\s"':][^:]*): *(.*?))\s*$/;

/**
 * Adds to packages the dependencies of their profiles: the profiles in `extends` of package.json, the profiles that
 * these extend, and `default`. A package's own declarations take precedence.
 */
export function withProfiles(
  packages: readonly PackageFacts[],
  profiles: ReadonlyMap<string, Profile>,
): PackageFacts[] {
  if (profiles.size === 0) return [...packages];
  return packages.map((facts) => {
    const named = facts.manifest?.fields["extends"];
    const asked = Array.isArray(named)
      ? named.filter((each): each is string => typeof each === "string")
      : [];
    const names = new Set([...asked, "default"]);
    // A loop over a set also visits names that are added during the loop.
    for (const name of names)
      for (const more of profiles.get(name)?.extends ?? []) names.add(more);
    const own = new Set(
      facts.dependencies
        .filter(({ field }) => field === "devDependencies")
        .map(({ ident }) => ident),
    );
    const given = [...names].flatMap(
      (name) => profiles.get(name)?.devDependencies ?? [],
    );
    return {
      ...facts,
      dependencies: [
        ...facts.dependencies,
        ...given
          .filter(([ident]) => !own.has(ident))
          .map(([ident, range]) => ({
            ident,
            range,
            field: "devDependencies" as const,
          })),
      ],
    };
  });
}
