import { execFile } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Failure } from "@skein/reporting";
import type { Bins } from "./yarn/wrappers.js";
import type { YarnProject } from "./yarn/yarn-project.js";

/**
 * Returns the programs that packages of a PnP project can call, as PnP resolves them. It starts one Node for all
 * packages.
 * @param dirs package folders, relative to the root
 * @returns programs by folder
 * @throws {Failure} if the project's PnP loader doesn't load
 */
export async function readPnpBins(
  { root, node, env }: YarnProject,
  dirs: readonly string[],
): Promise<ReadonlyMap<string, Bins>> {
  const main = fileURLToPath(new URL("./pnp-bins/main.js", import.meta.url));
  const loader = join(root, ".pnp.cjs");
  const text = await new Promise<string>((resolve, reject) => {
    const child = execFile(
      node.execPath,
      ["--require", loader, main],
      { cwd: root, env, maxBuffer: 2 ** 28 },
      (cause, stdout, stderr) => {
        if (cause === null) resolve(stdout);
        else
          reject(
            new Failure(
              `The project's PnP loader could not be read: ${stderr.trim()}`,
              { hint: "Run `yarn install`.", place: { file: loader }, cause },
            ),
          );
      },
    );
    // A failing loader ends Node before Node reads stdin. The exit code reports that, so the broken pipe is ignored.
    child.stdin?.on("error", () => undefined);
    child.stdin?.end(JSON.stringify([root, ...dirs]));
  });
  const found = JSON.parse(text) as Record<string, Record<string, string>>;
  return new Map(
    Object.entries(found).map(([dir, bins]) => [
      dir,
      new Map(Object.entries(bins)),
    ]),
  );
}
