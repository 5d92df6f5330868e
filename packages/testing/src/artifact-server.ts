import type { IncomingMessage, ServerResponse } from "node:http";

/** A server with the parts of the API of Turborepo's Remote Cache that store and fetch artifacts. */
export interface ArtifactServer extends AsyncDisposable {
  readonly url: string;
  /** The requests: method, path with `ID` instead of the artifact's id, and the header with the token. */
  asked: string[];
  /** The stored artifacts, by id. */
  artifacts: Map<string, Buffer>;
  /** Replaces the server's own answers if it is set. */
  answer:
    | ((request: IncomingMessage, response: ServerResponse) => void)
    | undefined;
}

/** Starts a server on a free port of this machine. */
export async function artifactServer(): Promise<ArtifactServer> {
  // Loaded on first use, because few tests start a server.
  const { listen } = await import("./fake-github/server.js");
  const { origin, close } = await listen((request, response) => {
    const { method = "", url = "", headers } = request;
    const [, id = ""] = /^\/v8\/artifacts\/([0-9a-f]{64})\?/.exec(url) ?? [];
    const path = id === "" ? url : url.replace(id, "ID");
    world.asked.push(`${method} ${path} ${headers.authorization ?? ""}`);
    // Prevents a test that breaks connections from breaking those of the next test.
    response.setHeader("Connection", "close");
    if (world.answer) {
      world.answer(request, response);
      return;
    }
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      if (method === "PUT") world.artifacts.set(id, Buffer.concat(chunks));
      const found = world.artifacts.get(id);
      response.writeHead(found ? 200 : 404);
      response.end(method === "PUT" ? "{}" : found);
    });
  });
  const world: ArtifactServer = {
    url: origin,
    asked: [],
    artifacts: new Map(),
    answer: undefined,
    [Symbol.asyncDispose]: close,
  };
  return world;
}
