import type { Change } from "@skein/changes";
import { isWithin } from "../paths.js";
import type { Classifier } from "./classify.js";
import type { Effect } from "./effects.js";
import { compileGlobs } from "./globs.js";
import type { AffectedInput, User } from "./input.js";
import type { EverythingReason, Reason } from "./reason.js";
import {
  folderOfTsconfig,
  placeOf,
  roleOf,
  type UnownedRole,
} from "./unowned-rules.js";

/** Files of the root whose meaning is compared, never their text. */
const COMPARED = new Set(["yarn.lock", "package.json", ".yarnrc.yml"]);

/** Constraints of Yarn: what the root checks of all manifests, and no other script sees. */
const CONSTRAINTS = new Set(["yarn.config.cjs", "constraints.pro"]);

/** Who uses a file that no package owns. */
interface Users {
  readonly packages: ReadonlyMap<string, User>;
  readonly everybody: EverythingReason | undefined;
  /** One of them means this file: not only all that is in the root, or in a folder above packages. */
  readonly isMeant: boolean;
}

/**
 * Compiles the rules for files that no package owns: settings first, then the file's role, then who refers to it; what
 * nobody is known to refer to may concern everybody.
 */
export function openUnowned(
  input: AffectedInput,
  classify: Classifier,
  above: () => ReadonlySet<string>,
): (change: Change) => readonly Effect[] {
  const { base, head, settings, references } = input;
  const rules = settings.unowned.map(([glob, effect]) => ({
    glob,
    effect,
    matches: compileGlobs([glob]),
  }));
  const isDocumentation = compileGlobs(settings.documentation);
  // A folder that is no package's has pages like the root.
  const isPage = (path: string) =>
    isDocumentation(path) ||
    isDocumentation(path.slice(path.lastIndexOf("/") + 1));

  return ({ path, kind }) => {
    const everything = (reason: EverythingReason): Effect[] => [
      { kind: "everything", reason },
    ];
    if (COMPARED.has(path)) {
      // Without the other side, or a lockfile that can be read, there is no meaning to compare.
      const comparable =
        base && (path === "package.json" || (head.lock && base.lock));
      return comparable
        ? nothing(path, "compared-by-meaning")
        : everything({ kind: "global-file", path, role: "not comparable" });
    }
    const rule = rules.find(({ matches }) => matches(path));
    if (rule?.effect === "nothing") return nothing(path, "settings-ignore");
    if (rule?.effect === "everything")
      return everything({ kind: "unowned-file", path });
    if (rule)
      return packages(
        path,
        rule.effect.map((name) => [
          name,
          {
            referrer: { file: "skein.json", line: 1, specifier: rule.glob },
            testOnly: false,
          },
        ]),
      );
    const role = path.startsWith("../") ? undefined : roleOf(path, above());
    if (role?.effect === "everything")
      return everything({ kind: "global-file", path, role: role.role });
    if (role?.why === "derived-from-lockfile") return nothing(path, role.why);
    const users = findUsers(path, role && placeOf(path, above()));
    if (users.everybody) return everything(users.everybody);
    if (CONSTRAINTS.has(path))
      return [
        ofRoot({ kind: "file", path, change: kind }),
        ...packages(path, users.packages),
      ];
    if (users.isMeant) return packages(path, users.packages);
    const effects = ofUnused(path, kind, role);
    const isKnown = effects.every((effect) => effect.kind !== "everything");
    return users.packages.size > 0 && isKnown
      ? packages(path, users.packages)
      : effects;
  };

  function ofRoot(reason: Reason): Effect {
    return { kind: "package", name: head.graph.root, reason };
  }

  /** What a file does that nobody means. */
  function ofUnused(
    path: string,
    kind: Change["kind"],
    role: Extract<UnownedRole, { effect: "nothing" }> | undefined,
  ): Effect[] {
    if (role) return nothing(path, role.why);
    if (path.startsWith("../")) return nothing(path, "outside-project");
    if (isPage(path)) return nothing(path, "documentation");
    if (references && classify(path) === "test") {
      return [ofRoot({ kind: "test-file", path, change: kind })];
    }
    // What is new, and what no file refers to, nobody can use yet; but in a folder above packages, tools look for files.
    const folder = path.slice(0, path.lastIndexOf("/"));
    if (
      references &&
      kind === "added" &&
      path.includes("/") &&
      !above().has(folder)
    )
      return nothing(path, "new-and-unused");
    return [{ kind: "everything", reason: { kind: "unowned-file", path } }];
  }

  /** @param named what a specifier must hold to mean the file: who takes in every file there is, does not use CI's */
  function findUsers(path: string, named = ""): Users {
    const users = new Map<string, User>();
    const addUser = (name: string, user: User) => {
      if (!user.testOnly || users.get(name)?.testOnly !== false)
        users.set(name, user);
    };
    let everybody: EverythingReason | undefined;
    let isMeant = false;
    // Who used a patch or a folder that is gone resolves to something else now.
    for (const { workspace, path: target, evidence } of [
      ...head.pathTargets,
      ...(base?.pathTargets ?? []),
    ]) {
      const dir = head.graph.workspaces.get(workspace)?.dir;
      if (dir === undefined) continue;
      const file = dir === "." ? "package.json" : `${dir}/package.json`;
      const referrer = { file, line: 1, specifier: evidence };
      if (!isWithin(path, target)) continue;
      addUser(workspace, { referrer, testOnly: false });
      isMeant = true;
    }
    const seen = new Set([path]);
    const page = isPage(path);
    const visit = (file: string, isNamed: boolean): boolean => {
      let used = false;
      const folder = folderOfTsconfig(file);
      if (folder !== undefined) {
        if (!references)
          everybody = {
            kind: "global-file",
            path,
            role: "TypeScript's configuration",
          };
        // Compilers walk up to it from packages that have none of their own.
        for (const { name, dir } of references ? head.packages : []) {
          if (
            dir === "." ||
            !isWithin(dir, folder) ||
            references?.tsconfigFolders.has(dir)
          )
            continue;
          const referrer = { file, line: 1, specifier: `found from ${dir}` };
          addUser(name, { referrer, testOnly: false });
          used = isMeant = true;
        }
      }
      for (const user of references?.usersOf(file) ?? []) {
        const { referrer } = user;
        if (file === path && !referrer.specifier.includes(named)) continue;
        const means = isNamed && !takesAll(user);
        const owner = head.graph.ownerOf(referrer.file);
        const areConstraints = CONSTRAINTS.has(referrer.file);
        if (areConstraints && !seen.has(referrer.file)) {
          seen.add(referrer.file);
          visit(referrer.file, means);
        }
        if (
          owner.dir !== "." ||
          referrer.file === "package.json" ||
          areConstraints
        ) {
          addUser(owner.name, user);
          const others = user.testOnly
            ? references?.usersOfAside(referrer.file)
            : [];
          for (const other of others ?? [])
            addUser(head.graph.ownerOf(other.referrer.file).name, other);
          used = true;
          isMeant ||= means;
          continue;
        }
        const role = roleOf(referrer.file, above());
        if (isDocumentation(referrer.file)) continue;
        if (role?.effect === "nothing") {
          // What CI uses, CI alone uses, unless somebody uses CI's own file.
          if (!seen.has(referrer.file)) {
            seen.add(referrer.file);
            if (visit(referrer.file, means)) used = true;
          }
          continue;
        }
        used = true;
        if (seen.has(referrer.file)) continue;
        seen.add(referrer.file);
        // What a file that may concern everybody uses, may concern everybody; of a page, what such a file itself names.
        if (page) visit(referrer.file, means);
        if (
          page
            ? role !== undefined && file === path
            : role !== undefined || !visit(referrer.file, means)
        )
          everybody = {
            kind: "global-file",
            path,
            role: `used by ${referrer.file}`,
          };
      }
      return used;
    };
    visit(path, true);
    return { packages: users, everybody, isMeant };
  }

  /** `prettier --check "./**"`: that it takes in every file does not say what one of them is for. */
  function takesAll({ folder }: User): boolean {
    return folder !== undefined && (folder === "" || above().has(folder));
  }
}

function nothing(
  path: string,
  why: Extract<Effect, { kind: "nothing" }>["why"],
): Effect[] {
  return [{ kind: "nothing", path, why }];
}

function packages(
  path: string,
  users: Iterable<readonly [string, User]>,
): Effect[] {
  return [...users].map(([name, user]) => use(path, name, user));
}

/** What it does to a package that it refers to a changed file. */
export function use(
  path: string,
  name: string,
  { referrer, testOnly }: User,
): Effect {
  return {
    kind: "package",
    name,
    reason: {
      kind: "referenced-file",
      path,
      referrer,
      ...(testOnly && { testOnly }),
    },
  };
}
