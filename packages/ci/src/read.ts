import type { Ci, CiChange, Env } from "./ci.js";

/** The facts of each engine whose jobs set no outputs, and whose event is in variables. */
export const BY_VARIABLES: Pick<Ci, "isCi" | "log" | "outputs" | "summary"> = {
  isCi: true,
  log: { commands: false },
  outputs: undefined,
  summary: undefined,
};

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

/** Returns the change of a run for a commit of a branch. Tags and schedules have no base. */
export function pushOf({
  tag,
  isSchedule,
  ...ends
}: Pick<CiChange & { kind: "push" }, "before" | "after"> & {
  readonly tag: string | undefined;
  readonly isSchedule: boolean;
}): CiChange {
  if (tag !== undefined)
    return {
      kind: "no-base",
      detail: `${JSON.stringify(tag)} is a tag, and a tag has no base`,
    };
  if (isSchedule) return { kind: "no-base", detail: "a schedule has no base" };
  return { kind: "push", ...ends };
}
