import { isBuiltin } from "node:module";
import type { NamedPackage } from "@skein/references/scan-file";
import { groupBy } from "@skein/reporting/group-by";
import { type Member } from "@skein/versions";
import { isPackageName } from "../names/names.js";
import { caret } from "./peer-range.js";

/** A package that a newcomer's file names. */
export interface Use extends NamedPackage {
  /** The path of the file, relative to the top of the target. */
  readonly file: string;
  /** The nearest workspace above the file. */
  readonly member: Member;
  /** Whether dependents don't need the file: a test, a tool's settings. */
  readonly isDevelopment: boolean;
}

/** A package that a workspace uses but doesn't declare in its manifest. */
export interface Phantom {
  readonly member: Member;
  readonly ident: string;
  /** The first place that uses the package. */
  readonly place: string;
  /** The number of further places. */
  readonly more: number;
  readonly found:
    | ({
        readonly kind: "declare";
        readonly field: "dependencies" | "devDependencies";
      } & KnownRange)
    /** The version is unknown: people must decide. */
    | { readonly kind: "unknown" };
}

/** The range of a phantom, and its origin. */
interface KnownRange {
  readonly range: string;
  readonly because: "own-lock" | "source-root" | "workspace" | "member";
}

export interface PhantomFacts {
  readonly uses: readonly Use[];
  /** The names of all workspaces, residents and newcomers. */
  readonly members: ReadonlySet<string>;
  /** Returns the version that the name resolved to in the source. */
  readonly hoisted: (ident: string) => string | undefined;
  /** The dependencies of the source's root; empty if the package is that root itself. */
  readonly sourceRoot: ReadonlyMap<string, string>;
  /** Returns the range that most of the target's workspaces have. */
  readonly workspaceRange: (ident: string) => string | undefined;
  /**
   * Returns whether a folder or file of the package has that name. It is then a module path from `baseUrl`, not a
   * package.
   */
  readonly isLocal: (member: Member, name: string) => boolean;
}

/** Kinds that load a module, whatever its name. */
const LOADS: ReadonlySet<NamedPackage["kind"]> = new Set<NamedPackage["kind"]>([
  "import",
  "export",
  "dynamic-import",
  "require",
  "mock",
  "type",
]);

/**
 * Settings may abbreviate a package's name. They count only if a package of that name is known to have been installed.
 */
const SETTINGS: ReadonlySet<NamedPackage["kind"]> = new Set<
  NamedPackage["kind"]
>(["extends", "config", "style"]);

/** Finds phantom dependencies and their versions, by workspace and name. */
export function findPhantoms(facts: PhantomFacts): readonly Phantom[] {
  const groups = groupBy(
    facts.uses.filter((use) => isPhantom(use, facts)),
    (use) => `${use.member.dir}\0${identOf(use, facts)}`,
  );
  return [...groups].map(([key, uses]) => {
    const ident = key.slice(key.indexOf("\0") + 1);
    const [first] = uses;
    if (!first) throw new Error("a group has a first use");
    const field = uses.every((use) => use.isDevelopment || use.kind === "type")
      ? "devDependencies"
      : "dependencies";
    const version = versionOf(ident, facts);
    return {
      member: first.member,
      ident,
      place: `${first.file}:${first.line}`,
      more: uses.length - 1,
      found: version
        ? { kind: "declare", field, ...version }
        : { kind: "unknown" },
    };
  });
}

function isPhantom(
  { name, kind, member }: Use,
  { hoisted, isLocal, members, sourceRoot }: PhantomFacts,
): boolean {
  if (isBuiltin(name) || name === member.name || !isPackageName(name))
    return false;
  const declared = new Set(member.dependencies.map(({ ident }) => ident));
  if (declared.has(name)) return false;
  if (kind === "type" && declared.has(typesOf(name))) return false;
  if (SETTINGS.has(kind))
    return hoisted(name) !== undefined || sourceRoot.has(name);
  if (!LOADS.has(kind)) return false;
  return (
    members.has(name) || hoisted(name) !== undefined || !isLocal(member, name)
  );
}

/** Returns the ident to declare. A name in a type position may be installed only as `@types/…`. */
function identOf({ name, kind }: Use, { hoisted }: PhantomFacts): string {
  const types = typesOf(name);
  return kind === "type" &&
    hoisted(name) === undefined &&
    hoisted(types) !== undefined
    ? types
    : name;
}

function typesOf(name: string): string {
  return `@types/${name.replace(/^@/, "").replace("/", "__")}`;
}

function versionOf(ident: string, facts: PhantomFacts): KnownRange | undefined {
  if (facts.members.has(ident))
    return { range: "workspace:^", because: "member" };
  const rootRange = facts.sourceRoot.get(ident);
  if (rootRange !== undefined)
    return { range: rootRange, because: "source-root" };
  const version = facts.hoisted(ident);
  if (version !== undefined)
    return { range: caret(version), because: "own-lock" };
  const range = facts.workspaceRange(ident);
  return range === undefined ? undefined : { range, because: "workspace" };
}
