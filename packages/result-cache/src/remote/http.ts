import { request as requestPlain } from "node:http";
import type { IncomingMessage, RequestOptions } from "node:http";
import { request as requestTls } from "node:https";
import { ServerError } from "./server.js";

/** A request without its address. */
export interface Asking {
  readonly method: "GET" | "PUT";
  readonly signal: AbortSignal;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Buffer;
}

/** The maximum number of redirects to follow. */
const MOST_REDIRECTS = 5;

/**
 * Sends a request with Node's own client: loading `fetch` takes longer than all requests of a run. It follows redirects;
 * no other server gets the token.
 */
export async function ask(
  url: URL,
  asking: Asking,
  left = MOST_REDIRECTS,
): Promise<IncomingMessage> {
  const response = await send(url, asking);
  const { location } = response.headers;
  const isRedirect = [301, 302, 303, 307, 308].includes(
    response.statusCode ?? 0,
  );
  if (!isRedirect || location === undefined) return response;
  response.resume();
  if (left === 0 || !URL.canParse(location, url.href))
    throw new ServerError("it redirects to nowhere");
  const next = new URL(location, url);
  if (!/^https?:$/.test(next.protocol))
    throw new ServerError("it redirects to nowhere");
  const headers = Object.fromEntries(
    Object.entries(asking.headers ?? {}).filter(
      ([name]) => next.origin === url.origin || name !== "Authorization",
    ),
  );
  return ask(next, { ...asking, headers }, left - 1);
}

function send(
  url: URL,
  { method, signal, headers = {}, body }: Asking,
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const open = url.protocol === "https:" ? requestTls : requestPlain;
    const start = (more: RequestOptions) => {
      const request = open(url, { method, signal, headers, ...more }, resolve);
      request.on("error", (error: NodeJS.ErrnoException) => {
        // The server may close a connection that is reused just when the request is sent.
        if (request.reusedSocket && error.code === "ECONNRESET")
          start({ agent: false });
        else reject(error);
      });
      request.end(body);
    };
    start({});
  });
}
