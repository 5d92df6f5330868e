import {
  json,
  packManifest,
  startFakeRegistry,
  tempDir,
  yarnPath,
  yarnTestEnv,
} from "@skein/testing";
import { execa } from "execa";

/** The publication time of all versions, in milliseconds since 1970. Yarn avoids versions that are too new. */
const PUBLISHED = Date.UTC(2020, 0, 1);

/** The dependencies of each published version. `"chalk@4.1.0": { "ansi-styles": "^4.0.0" }` */
export type Published = Readonly<
  Record<string, Readonly<Record<string, string>>>
>;

/** A local registry, so that the test decides which versions exist. */
export interface Registry extends AsyncDisposable {
  readonly url: string;
  /** The .yarnrc.yml of a project that installs from this registry with the pinned Yarn. */
  readonly yarnrc: string;
  /**
   * The environment of its Yarn. Yarn caches a host's answers without regard to the port, so each registry has its own
   * folder.
   */
  readonly env: Readonly<Record<string, string>>;
  /** Runs Yarn to its end. @returns its output @throws if it fails */
  yarn(dir: string, ...args: readonly string[]): Promise<string>;
}

/**
 * Starts a registry with the parts of npm's protocol that Yarn uses.
 * @param peers the peer dependencies of versions that have some
 */
export async function startRegistry(
  published: Published,
  peers: Published = {},
): Promise<Registry> {
  const registry = await startFakeRegistry();
  for (const [key, dependencies] of Object.entries(published)) {
    const at = key.indexOf("@", 1);
    const [name, version] = [key.slice(0, at), key.slice(at + 1)];
    const peerDependencies = peers[key];
    const manifest = {
      dependencies,
      ...(peerDependencies && { peerDependencies }),
    };
    const tarball = packManifest(json({ name, version, ...manifest }));
    registry.packages.set(name, [
      ...(registry.packages.get(name) ?? []),
      { version, at: PUBLISHED, manifest, tarball },
    ]);
  }
  const { url } = registry;
  const global = await tempDir("registry-");
  const env = { ...yarnTestEnv(), YARN_GLOBAL_FOLDER: global.path };
  return {
    url,
    env,
    yarn: async (dir, ...args) =>
      (await execa("node", [yarnPath, ...args], { cwd: dir, env, all: true }))
        .all,
    yarnrc: `yarnPath: ${yarnPath}\nnodeLinker: node-modules\nnpmRegistryServer: "${url}"\nunsafeHttpWhitelist:\n  - 127.0.0.1\nenableTelemetry: false\nhttpRetry: 0\n`,
    async [Symbol.asyncDispose]() {
      await registry[Symbol.asyncDispose]();
      await global[Symbol.asyncDispose]();
    },
  };
}
