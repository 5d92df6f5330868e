import { delimiter } from "node:path";
import { stableEnvironment, type Variables } from "@skein/fingerprint";
import type { Settings } from "@skein/workspaces";
import type { AffectedWorld } from "../world.js";

/** Returns the environment of scripts, with the variables that count by `cache.env`. */
export function variablesOf(
  env: AffectedWorld["env"],
  { cache }: Settings,
): Variables {
  return {
    env: stableEnvironment(env, delimiter),
    names: cache.env,
    ignored: new Set(cache.ignoredEnv),
  };
}
