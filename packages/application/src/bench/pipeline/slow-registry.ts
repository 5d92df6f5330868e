import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { json, startFakeRegistry, writeFiles } from "@skein/testing";
import type { FakeRegistry } from "@skein/testing";
import { runProgram } from "../../process.js";

/** A registry whose only package takes a known time to download. */
export interface SlowRegistry extends FakeRegistry {
  /**
   * The name of the package, whose version is 1.0.0. Each start uses another name, because Yarn caches answers of a registry.
   */
  readonly name: string;
}

/**
 * Starts a registry with one package.
 * @param folder the folder in which its archive is made
 * @param tarballMs the time that a download takes
 */
export async function startSlowRegistry(
  folder: string,
  tarballMs: number,
): Promise<SlowRegistry> {
  const name = `@slow/p${process.pid}`;
  const version = "1.0.0";
  await writeFiles(folder, { "package/package.json": json({ name, version }) });
  await runProgram(folder, "tar", "-czf", "slow.tgz", "package");
  const tarball = await readFile(join(folder, "slow.tgz"));
  const registry = await startFakeRegistry();
  // Yarn refuses versions that are younger than a day.
  const at = Date.UTC(2020, 0, 1);
  registry.packages.set(name, [{ version, at, tarball, tarballMs }]);
  return { ...registry, name };
}
