import type {
  FakeGitHub,
  FakeGitHubOptions,
} from "./fake-github/fake-github.js";
import type { FakeRegistry } from "./fake-registry.js";

// Loaded where they are asked for: most tests start no server, and Jest loads all that a test file imports anew. Tests that
// run concurrently import `@skein/testing/fake-github`: between two of them, Jest refuses to load anything.

/** Starts a GitHub with nothing in it (`await using github = await startFakeGitHub()`). */
export async function startFakeGitHub(
  options?: FakeGitHubOptions,
): Promise<FakeGitHub> {
  const fake = await import("./fake-github/fake-github.js");
  return fake.startFakeGitHub(options);
}

/** Starts a registry without a package. */
export async function startFakeRegistry(): Promise<FakeRegistry> {
  const fake = await import("./fake-registry.js");
  return fake.startFakeRegistry();
}
