import { minVersion } from "semver";

/** `^1.2.3`, `~1.2`, `1`, `npm:^1.0.0-rc.1`: ranges that can be compared, and can be the workspace's version. */
export const COMPARABLE =
  /^(?:npm:)?[~^]?v?\d+(?:\.(?:\d+|[xX*]))?(?:\.(?:\d+|[xX*]))?(?:-[0-9A-Za-z.-]+)?(?:\+[0-9A-Za-z.-]+)?$/;

/**
 * Returns the part of a version that a breaking change raises: the major, below 1.0.0 the minor, below 0.1.0 the patch
 * (as in `^`).
 */
export function breakingPart(range: string): string {
  const low = minVersion(range);
  if (!low) return range;
  if (low.major > 0) return `${low.major}`;
  return low.minor > 0 ? `0.${low.minor}` : `0.0.${low.patch}`;
}
