import { parse } from "yaml";
import { lockBuilder, type OwnLock } from "./own-lock.js";

type Direct = Readonly<
  Record<string, string | { specifier?: unknown; version?: unknown }>
>;

interface Importer {
  readonly specifiers?: Readonly<Record<string, string>>;
  readonly dependencies?: Direct;
  readonly devDependencies?: Direct;
  readonly optionalDependencies?: Direct;
}

interface PnpmLock extends Importer {
  readonly importers?: Readonly<Record<string, Importer>>;
  readonly packages?: Readonly<Record<string, unknown>>;
}

/**
 * Reads pnpm-lock.yaml, lockfileVersion 5 to 9 (github.com/pnpm/spec, "lockfile"). It has no ranges of transitive
 * dependencies.
 * @throws {YAMLParseError} if the text isn't YAML
 */
export function readPnpm(text: string, file: string): OwnLock {
  const parsed = (parse(text) ?? {}) as PnpmLock;
  const lock = lockBuilder("pnpm", file);
  for (const key of Object.keys(parsed.packages ?? {})) {
    const found = parseKey(key);
    if (found) lock.add(...found);
  }
  const importers = Object.values(parsed.importers ?? { ".": parsed });
  for (const importer of importers) {
    for (const list of [
      importer.dependencies,
      importer.devDependencies,
      importer.optionalDependencies,
    ]) {
      for (const [ident, entry] of Object.entries(list ?? {})) {
        const { specifier, version } =
          typeof entry === "string"
            ? { specifier: importer.specifiers?.[ident], version: entry }
            : entry;
        const plain = plainVersion(String(version));
        if (typeof specifier !== "string" || plain === undefined) continue;
        lock.add(ident, plain);
        lock.describe(ident, specifier, plain);
        lock.hoist(ident, plain);
      }
    }
  }
  return lock.done();
}

/** Splits a key: `/a/1.0.0_peer` (5), `/a@1.0.0(peer)` (6), `a@1.0.0(peer)` (9). */
function parseKey(key: string): readonly [string, string] | undefined {
  const match = /^\/?((?:@[^/@]+\/)?[^/@]+)[/@](\d[^(_]*)/.exec(key);
  return match ? [match[1] ?? "", match[2] ?? ""] : undefined;
}

/** Returns the version in `1.0.0`, `1.0.0(peer@2.0.0)`, `1.0.0_peer@2.0.0`; undefined for links, git and tarballs. */
function plainVersion(text: string): string | undefined {
  return /^(\d[^(_/:]*)(?:[(_].*)?$/.exec(text)?.[1];
}
