/**
 * Returns the version in a locator of a registry: `a@npm:1.2.3`, `alias@npm:a@1.2.3`; undefined for any other locator.
 */
export function npmVersion(resolution: string): string | undefined {
  return /^@?[^@]+@npm:(?:@?[^@]+@)?(\d[^:@]*)(?:::.*)?$/.exec(resolution)?.[1];
}
