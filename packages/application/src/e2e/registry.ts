import { readFile } from "node:fs/promises";
import { startFakeRegistry, type FakeRegistry } from "@skein/testing";
import type { Tarball } from "../packed.js";

/** The publication time of the packed packages, in milliseconds since 1970. */
const PUBLISHED = Date.UTC(2026, 0, 1);

/** Starts a registry with one version of each package: the tarball. npm installs from it as after a release. */
export async function startPackageRegistry(
  tarballs: readonly Tarball[],
): Promise<FakeRegistry> {
  const registry = await startFakeRegistry();
  for (const { name, file, manifest } of tarballs)
    registry.packages.set(name, [
      {
        version: manifest.version,
        at: PUBLISHED,
        manifest,
        tarball: await readFile(file),
      },
    ]);
  return registry;
}
