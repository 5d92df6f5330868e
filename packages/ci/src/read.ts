import type { Env } from "./ci.js";

/** Returns a variable; undefined if it is empty, because pipelines leave variables out that way. */
export function text(env: Env, name: string): string | undefined {
  return env[name] === "" ? undefined : env[name];
}

/**
 * Returns a variable that contains a commit's full id (40 or 64 hexadecimal digits); undefined for zeros and any other
 * text.
 */
export function commit(env: Env, name: string): string | undefined {
  const found = env[name] ?? "";
  return /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(found) && !/^0+$/.test(found)
    ? found
    : undefined;
}

/**
 * Returns a variable that contains a whole number from 1 to 999,999 (attempts, requests); undefined for any other text.
 */
export function count(env: Env, name: string): number | undefined {
  const found = env[name] ?? "";
  return /^[1-9]\d{0,5}$/.test(found) ? Number(found) : undefined;
}
