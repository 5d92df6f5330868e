// `yarn bench:run`: Skein and its peers run scripts and replay them in the same workspaces.
import { installAll } from "../install.js";
import { RUN_BLOCK } from "../report/document.js";
import { runBench } from "../run-bench.js";
import { measureColdCache } from "./cold-cache.js";
import { measureHits } from "./hits.js";
import { measureSite } from "./measure-site.js";
import { parseOptions, USAGE } from "./options.js";
import { renderReplay } from "./render.js";
import { startServer } from "./server.js";
import { idleYarnBin, makeReplaySite, type Kind } from "./site.js";
import { measureWatch } from "./watch.js";

const WATCHED_SAVES = 20;

await runBench({
  name: "yarn bench:run",
  usage: USAGE,
  parse: parseOptions,
  block: RUN_BLOCK,
  async measure(options, folder, log) {
    const { packages, trivial, runners, runs } = options;
    const installed = await installAll(
      folder,
      runners.map(({ tool }) => tool),
      log,
    );
    for (const { tool, problem } of installed)
      if (problem !== undefined) log(`${tool.name} is missing: ${problem}`);
    const contestants = runners.flatMap((runner) => {
      const found = installed.find(({ tool }) => tool === runner.tool);
      return found?.modules === undefined
        ? []
        : [{ runner, modules: found.modules }];
    });
    await using server = await startServer(folder, log);
    const request = { runs, server: server.url, log };
    const measureKind = async (
      kind: Kind,
      count: number,
      fillWith: string | undefined,
    ) => {
      log(`generate ${count} packages (${kind})`);
      const size = { packages: count, kind };
      const site = await makeReplaySite(folder, size, contestants);
      const result = await measureSite(site, contestants, {
        ...request,
        fillWith,
      });
      return { site, result };
    };
    const jest =
      packages > 0 ? await measureKind("jest", packages, undefined) : undefined;
    const simple =
      trivial > 0
        ? await measureKind("trivial", trivial, await idleYarnBin(folder))
        : undefined;
    const results = {
      runs,
      versions: [
        ...contestants.flatMap(({ runner }) => runner.tool.install),
        "turborepo-remote-cache@2.12.0",
      ],
      jest: jest?.result,
      trivial: simple?.result,
      coldCacheMs: simple
        ? await measureColdCache(simple.site, contestants, runs, log)
        : undefined,
      hits: options.hits
        ? await measureHits(folder, contestants, log)
        : undefined,
      watch:
        simple && options.watch
          ? await measureWatch(simple.site, contestants, WATCHED_SAVES)
          : undefined,
    };
    return (made) => renderReplay({ ...made, ...results });
  },
});
