import { createHash } from "node:crypto";
import { createServer } from "node:http";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { breachesOfAnswer, breachesOfRequest } from "./description.js";
import { type FaultKind, type Faults } from "./faults.js";
import type { Answer } from "./http.js";
import { ApiError, findRepository, matchRoute, notFound } from "./http.js";
import { storedArchive } from "./resources/artifacts.js";
import { routes } from "./resources/index.js";
import type { RateLimit, State } from "./state.js";

/** A request, and the status of its answer. */
export interface LoggedRequest {
  /** `GET /repos/{owner}/{repo}`, or method and path if no operation matches. */
  readonly operation: string;
  /** The path and query. */
  readonly url: string;
  readonly userAgent: string | undefined;
  readonly authorized: boolean;
  readonly body: unknown;
  /** 0 for a connection that broke before an answer. */
  status: number;
}

/** The permissions of each token. An operation that needs a missing permission answers 403. */
export type Tokens = Readonly<Record<string, readonly string[]>>;

export interface ServerWorld {
  readonly state: State;
  readonly faults: Faults;
  readonly log: LoggedRequest[];
  /** Undefined if every token is valid and requests without a token are allowed. */
  readonly tokens: Tokens | undefined;
  /** The path before every operation: empty as on api.github.com, `/api/v3` as on an Enterprise Server. */
  readonly basePath: string;
  /** Records breaches of GitHub's description. */
  readonly breach: (operation: string, what: readonly string[]) => void;
  /** Called with each request before it is answered, for example to push while a client reads pages. */
  readonly before: ((operation: string, url: URL) => void) | undefined;
}

/**
 * Listens on a free port of this machine.
 * @returns its origin, and a function that closes it
 */
export async function listen(
  answer: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<{ origin: string; close: () => Promise<void> }> {
  const server = createServer(answer);
  // By default the server closes idle connections after five seconds, perhaps just when a slow client reuses one.
  server.keepAliveTimeout = 0;
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** An operation that isn't counted and is never refused. */
const FREE = "GET /rate_limit";

/** Handles one request: log, faults, permission, operation and headers. */
export async function serve(
  world: ServerWorld,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const url = new URL(request.url ?? "/", world.state.url);
  const method = request.method ?? "GET";
  const path = url.pathname.startsWith(world.basePath)
    ? url.pathname.slice(world.basePath.length)
    : "";
  const archive = storedArchive(url.pathname, world.state);
  if (archive) {
    response.writeHead(200, { "content-type": "application/zip" });
    response.end(archive);
    return;
  }
  const found = matchRoute(routes, method, path);
  const operation = found?.route.operation ?? `${method} ${url.pathname}`;
  const token = request.headers.authorization?.replace(/^(token|Bearer) /i, "");
  const body = await readBody(request);
  const entry: LoggedRequest = {
    operation,
    url: request.url ?? "/",
    userAgent: request.headers["user-agent"],
    authorized: token !== undefined,
    body,
    status: 0,
  };
  world.log.push(entry);
  world.before?.(operation, url);

  // The GraphQL operation validates requests with its own schema.
  const isRest = operation !== "POST /graphql";
  if (found && isRest) {
    const { params } = found;
    const { searchParams: query } = url;
    world.breach(
      `request ${operation}`,
      breachesOfRequest({ operation, params, query, body }),
    );
  }
  const fault = world.faults.take(operation, url.searchParams);
  if (fault?.kind === "reset") {
    request.socket.resetAndDestroy();
    return;
  }
  if (fault?.kind === "slow") await sleep(fault.ms, undefined, { ref: false });

  let answer: Answer;
  try {
    const refusal =
      refuse(fault, operation, world.state.rateLimit) ??
      checkToken(world, token, found?.route.permission);
    if (refusal) answer = refusal;
    else if (!found) throw notFound();
    else {
      const { route, params } = found;
      const { state } = world;
      answer = await route.answer({
        ...{ method, params, query: url.searchParams, body, url, state },
        get repository() {
          return findRepository(params, state);
        },
      });
    }
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    answer = error.answer;
  }
  if (found && isRest)
    world.breach(
      `answer to ${operation}`,
      breachesOfAnswer(operation, { status: 200, ...answer }),
    );
  send(world, request, response, fault, answer, entry);
}

async function readBody(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const text = Buffer.concat(chunks).toString();
  return text === "" ? undefined : (JSON.parse(text) as unknown);
}

/** Returns the answer of a fault that has its own. The sentences are GitHub's; clients must not depend on them. */
function refuse(
  fault: FaultKind | undefined,
  operation: string,
  rateLimit: RateLimit,
): Answer | undefined {
  const because = (
    status: number,
    message: string,
    headers: Record<string, string> = {},
  ) => ({ ...new ApiError(status, message).answer, headers });
  switch (fault?.kind) {
    case "status":
      return because(fault.status, `Status ${fault.status}`);
    case "secondary-limit":
      return because(
        403,
        "You have exceeded a secondary rate limit. Please wait a few minutes before you try again.",
        fault.retryAfter === undefined
          ? {}
          : { "retry-after": String(fault.retryAfter) },
      );
    case "too-many-requests":
      return because(429, "Too many requests.", {
        "retry-after": String(fault.retryAfter),
      });
    case "rate-limit":
      return because(403, "API rate limit exceeded for installation.", {
        "x-ratelimit-remaining": "0",
        "x-ratelimit-reset": String(
          Math.floor(Date.now() / 1000) + fault.resetIn,
        ),
      });
    case "missing-permission":
      return because(403, "Resource not accessible by integration");
    case "slow":
    case "reset":
    case "cut-body":
    case "cut-list":
    case "not-json":
    case undefined:
      if (rateLimit.remaining > 0 || operation === FREE) return undefined;
      return because(403, "API rate limit exceeded for installation.");
  }
}

function checkToken(
  { tokens }: ServerWorld,
  token: string | undefined,
  permission: string | undefined,
): Answer | undefined {
  if (!tokens || token === undefined) return undefined;
  const granted = tokens[token];
  if (!granted) return new ApiError(401, "Bad credentials").answer;
  if (permission === undefined || granted.includes(permission))
    return undefined;
  const message = "Resource not accessible by integration";
  return {
    ...new ApiError(403, message).answer,
    headers: {
      "x-accepted-github-permissions": permission.includes("=")
        ? permission
        : `${permission}=read`,
    },
  };
}

/** Truncates a list, or the list in an object that also has its length. */
function cutList(body: unknown, keep: number): unknown {
  if (Array.isArray(body)) return body.slice(0, keep);
  const members = Object.entries(body ?? {}).map(([name, value]) => [
    name,
    Array.isArray(value) ? value.slice(0, keep) : (value as unknown),
  ]);
  return Object.fromEntries(members) as unknown;
}

function send(
  { state: { rateLimit } }: ServerWorld,
  request: IncomingMessage,
  response: ServerResponse,
  fault: FaultKind | undefined,
  answer: Answer,
  entry: LoggedRequest,
): void {
  const cut = fault?.kind === "cut-list";
  const body = cut ? cutList(answer.body, fault.keep) : answer.body;
  const text = body === undefined ? "" : JSON.stringify(body);
  const { status = 200, headers = {} } = answer;
  const { link, ...others } = headers;
  const etag = `W/"${createHash("sha256").update(text).digest("hex")}"`;
  const unchanged = status === 200 && request.headers["if-none-match"] === etag;
  // An unchanged answer isn't counted:
  // https://docs.github.com/rest/using-the-rest-api/best-practices-for-using-the-rest-api
  if (!unchanged && entry.operation !== FREE)
    rateLimit.remaining = Math.max(0, rateLimit.remaining - 1);
  entry.status = unchanged ? 304 : status;
  response.writeHead(entry.status, {
    "x-ratelimit-limit": rateLimit.limit,
    "x-ratelimit-remaining": rateLimit.remaining,
    "x-ratelimit-used": rateLimit.limit - rateLimit.remaining,
    "x-ratelimit-reset": rateLimit.reset,
    "x-ratelimit-resource": "core",
    "x-github-request-id": `FAKE:${entry.url.length}`,
    ...(status === 200 && { etag }),
    ...(link !== undefined && !cut && { link }),
    ...(text !== "" && {
      "content-type": "application/json; charset=utf-8",
      "content-length": unchanged ? 0 : Buffer.byteLength(text),
    }),
    ...others,
  });
  if (fault?.kind === "cut-body") {
    response.write(text.slice(0, text.length / 2), () => {
      request.socket.destroy();
    });
    return;
  }
  if (fault?.kind === "not-json") {
    response.end("<".repeat(Buffer.byteLength(text)));
    return;
  }
  response.end(unchanged ? undefined : text);
}
