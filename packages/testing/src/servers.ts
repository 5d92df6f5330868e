import type {
  FakeGitHub,
  FakeGitHubOptions,
} from "./fake-github/fake-github.js";
import type { FakeRegistry } from "./fake-registry.js";

// The modules are loaded on first use, because most tests start no server.

/** Starts an empty GitHub (`await using github = await startFakeGitHub()`). */
export async function startFakeGitHub(
  options?: FakeGitHubOptions,
): Promise<FakeGitHub> {
  const fake = await import("./fake-github/fake-github.js");
  return fake.startFakeGitHub(options);
}

/** Starts a registry without packages. */
export async function startFakeRegistry(): Promise<FakeRegistry> {
  const fake = await import("./fake-registry.js");
  return fake.startFakeRegistry();
}
