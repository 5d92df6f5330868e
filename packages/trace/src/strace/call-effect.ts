import type { TraceEvent } from "../event.js";
import type { Call } from "./read-call.js";

/** The state of a process that determines the meaning of a call. */
export interface CallContext {
  /** The working folder of the process; undefined while it is unknown. */
  readonly cwd: string | undefined;
  /** Whether the process runs Node, with `UV_USE_IO_URING=0` in its environment. */
  readonly isNode: boolean;
}

/** The effect of a call. */
export interface CallEffect {
  readonly events: readonly TraceEvent[];
  /** The new working folder of the process. */
  readonly cwd?: string;
  /** The child that the process started. `shares` means that both share one working folder, as threads do. */
  readonly child?: { readonly pid: number; readonly shares: boolean };
  /** Why a part of the call is lost. */
  readonly lost?: string;
}

/** Reads one kind of call. @throws {Lost} if a path or an address can't be determined */
export type Read = (call: Call, context: CallContext) => CallEffect;

/** The effect of a call that doesn't matter. */
export const NOTHING: CallEffect = { events: [] };

/** Thrown if a path or an address can't be determined. */
export class Lost extends Error {}

/** Returns whether a call succeeded. */
export function isDone({ result }: Call): boolean {
  return !/^(?:-1|\?)/.test(result);
}
