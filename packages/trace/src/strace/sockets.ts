import { isDone, Lost, NOTHING } from "./call-effect.js";
import type { CallEffect, Read } from "./call-effect.js";
import { decodeString } from "./read-call.js";

/** Reads a call that connects a socket to an address. */
export const connected: Read = ({ args, result }, { cwd }) => {
  const to = args[1] ?? "";
  // A nonblocking connect continues in the background.
  return /^0|^-1 EINPROGRESS/.test(result) ? reached(to, cwd) : NOTHING;
};

/** Reads a call that sends a message to the address in an argument. Without an address, the socket is connected. */
export const sent =
  (address: (args: readonly string[]) => string | undefined): Read =>
  (call, { cwd }) =>
    isDone(call) ? reached(address(call.args) ?? "", cwd) : NOTHING;

/** Returns the address in a message, as sendmsg and sendmmsg have it. */
export function messageName(args: readonly string[]): string | undefined {
  return /^\[?\{(?:msg_hdr=\{)?msg_name=(\{[^}]*\})/.exec(args[1] ?? "")?.[1];
}

/** Returns the effect of reaching a socket's address, as strace writes it. */
function reached(to: string, cwd: string | undefined): CallEffect {
  const path = /\bsun_path=("(?:[^"\\]|\\.)*")/.exec(to)?.[1];
  if (path !== undefined) {
    const address = decodeString(path);
    if (address === undefined) throw new Lost("a socket");
    const whole = address.startsWith("/") ? address : `${cwd ?? ""}/${address}`;
    return { events: [{ kind: "connect", to: "file", address: whole }] };
  }
  const abstract = /\bsun_path=@"((?:[^"\\]|\\.)*)"/.exec(to)?.[1];
  if (abstract !== undefined)
    return {
      events: [{ kind: "connect", to: "file", address: `@${abstract}` }],
    };
  const address = /(?:inet_addr\(|inet_pton\(AF_INET6, )"([^"]*)"/.exec(
    to,
  )?.[1];
  if (address === undefined) return NOTHING;
  if (!isLocal(address))
    return { events: [{ kind: "connect", to: "network", address }] };
  const port = portOf(to);
  // The C library asks with port 0 which of its own addresses Linux would use.
  return port === undefined || port === "0"
    ? NOTHING
    : { events: [{ kind: "connect", to: "port", address: port }] };
}

function portOf(address: string): string | undefined {
  return /\bsin6?_port=htons\((\d+)\)/.exec(address)?.[1];
}

/**
 * Returns whether packets to an address stay on this machine. Source: RFC 1122 3.2.1.3, RFC 4291 2.5.3; 0.0.0.0 is this
 * host.
 */
function isLocal(address: string): boolean {
  return /^(?:(?:::ffff:)?127\.|::1$|::$|0\.0\.0\.0$)/.test(address);
}

/** Reads a call that gives a socket its address, or that asks for it: Linux chooses a port if a program takes port 0. */
export const bound: Read = ({ args, result }, { cwd }) => {
  if (result !== "0") return NOTHING;
  const port = portOf(args[1] ?? "");
  if (port !== undefined)
    return port === "0" ? NOTHING : { events: [{ kind: "bind", port }] };
  const path = /\bsun_path=(@?)("(?:[^"\\]|\\.)*")/.exec(args[1] ?? "");
  const name = decodeString(path?.[2] ?? "");
  if (!path || name === undefined) return NOTHING;
  const whole =
    path[1] === "@"
      ? `@${name}`
      : name.startsWith("/")
        ? name
        : `${cwd ?? ""}/${name}`;
  return { events: [{ kind: "make", path: whole }] };
};
