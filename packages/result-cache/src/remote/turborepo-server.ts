import type { IncomingMessage } from "node:http";
import { ask, type Asking } from "./http.js";
import type { RemoteSettings } from "./remote-settings.js";
import { LARGEST_ARTIFACT, ServerError } from "./server.js";
import type { Artifact, Server } from "./server.js";

/** A server with the API of Turborepo's Remote Cache. */
export class TurborepoServer implements Server {
  readonly #settings: RemoteSettings;

  constructor(settings: RemoteSettings) {
    this.#settings = settings;
  }

  async get(id: string, signal: AbortSignal): Promise<Buffer | undefined> {
    const response = await this.#ask(id, { method: "GET", signal });
    if (response.statusCode === 404) {
      response.resume();
      return undefined;
    }
    assertOk(response);
    const chunks: Buffer[] = [];
    let length = 0;
    for await (const chunk of response) {
      length += (chunk as Buffer).length;
      if (length > LARGEST_ARTIFACT)
        throw new ServerError("it sent more than it was given");
      chunks.push(chunk as Buffer);
    }
    return Buffer.concat(chunks);
  }

  async put({ id, bytes }: Artifact, signal: AbortSignal): Promise<void> {
    const response = await this.#ask(id, {
      ...{ method: "PUT", signal, body: bytes },
      headers: {
        "Content-Type": "application/octet-stream",
        "Content-Length": `${bytes.length}`,
        "x-artifact-duration": "0",
        // A server with its own key returns only artifacts that have a tag. Our signature is inside the artifact.
        "x-artifact-tag": "skein",
      },
    });
    assertOk(response);
    response.resume();
  }

  #ask(id: string, asking: Asking): Promise<IncomingMessage> {
    const { url, team, token } = this.#settings;
    const query = new URLSearchParams(
      team.startsWith("team_") ? { teamId: team } : { slug: team },
    );
    return ask(new URL(`${url}/v8/artifacts/${id}?${query.toString()}`), {
      ...asking,
      headers: {
        ...asking.headers,
        ...(token !== undefined && { Authorization: `Bearer ${token}` }),
      },
    });
  }
}

function assertOk(response: IncomingMessage): void {
  const { statusCode = 0 } = response;
  if (statusCode >= 200 && statusCode < 300) return;
  response.resume();
  throw new ServerError(`it answered ${statusCode}`);
}
