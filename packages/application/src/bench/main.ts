// `yarn bench:affected`: asks Skein and similar tools the same question in generated workspaces, and compares the
// results.
import { installAll } from "./install.js";
import { parseOptions, USAGE } from "./options.js";
import { measureAffected, type SizeResult } from "./parts/affected.js";
import { measureLockfile } from "./parts/lockfile.js";
import { measureRunning } from "./parts/running.js";
import { BLOCK } from "./report/document.js";
import { renderReport } from "./report/render.js";
import { runBench } from "./run-bench.js";

await runBench({
  name: "yarn bench:affected",
  usage: USAGE,
  parse: parseOptions,
  block: BLOCK,
  async measure(options, folder, log) {
    const { parts, runs } = options;
    const installed = await installAll(folder, options.tools, log);
    const measuring = { ...options, log };
    const lockfile = parts.has("lockfile")
      ? await measureLockfile(runs)
      : undefined;
    const running = parts.has("run")
      ? await measureRunning(folder, installed, measuring)
      : undefined;
    const sizes: SizeResult[] = [];
    if (parts.has("affected"))
      for (const size of options.sizes)
        sizes.push(await measureAffected(folder, size, installed, measuring));
    const versions = installed.flatMap(({ tool }) => tool.install);
    return (made) =>
      renderReport({ ...made, runs, versions, sizes, running, lockfile });
  },
});
