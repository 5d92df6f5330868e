import { once } from "node:events";
import { createServer } from "node:http";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** A server with the API of Turborepo's Remote Cache, as far as artifacts are stored and fetched. */
export interface ArtifactServer extends AsyncDisposable {
  readonly url: string;
  /** Requests: method, path with `ID` for the artifact's, and the header with the token. */
  asked: string[];
  /** What is stored, by id. */
  artifacts: Map<string, Buffer>;
  /** Takes the place of the server's own answers where it is set. */
  answer:
    ((request: IncomingMessage, response: ServerResponse) => void) | undefined;
}

/** Starts a server on a free port of this machine. */
export async function artifactServer(): Promise<ArtifactServer> {
  const server = createServer((request, response) => {
    const { method = "", url = "", headers } = request;
    const [, id = ""] = /^\/v8\/artifacts\/([0-9a-f]{64})\?/.exec(url) ?? [];
    const path = id === "" ? url : url.replace(id, "ID");
    world.asked.push(`${method} ${path} ${headers.authorization ?? ""}`);
    // A test that breaks connections must not break those of the next one.
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
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const world: ArtifactServer = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked: [],
    artifacts: new Map(),
    answer: undefined,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
  return world;
}
