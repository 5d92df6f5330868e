import type { AffectedWorld } from "./world.js";
import type { Command } from "./command.js";
import { plainList } from "./cli/plain-list.js";
import { headStart } from "./head-start.js";

/** Runs the tool: parses the command line and calls one command. @returns the exit code */
export async function affected(world: AffectedWorld): Promise<number> {
  const early = headStart(world);
  try {
    const command =
      plainList(world.argv) ?? (await import("./cli.js")).parseCli(world);
    if (typeof command === "number") return command;
    const { withTranslatedErrors } = await import("@skein/workspaces/problems");
    return await withTranslatedErrors(() =>
      perform({ ...world, early }, command),
    );
  } finally {
    early?.close();
  }
}

// Each command is loaded only when it is needed: `list` must not wait for the modules of `run` and `graph`. Git is
// already running before any of them is loaded.
async function perform(
  world: AffectedWorld,
  command: Command,
): Promise<number> {
  switch (command.kind) {
    case "list":
      return (await import("./commands/list.js")).list(world, command);
    case "why":
    case "why-not":
      return (await import("./commands/why.js")).why(world, command);
    case "audit":
      return (await import("./commands/audit.js")).runAudit(world, command);
    case "cache":
      return (await import("./commands/cache.js")).runCache(world, command);
    case "compare":
      return (await import("./commands/compare.js")).compare(world, command);
    case "init":
      return (await import("./commands/init.js")).init(world, command);
    case "fingerprint":
      return (await import("./commands/fingerprint.js")).fingerprint(
        world,
        command,
      );
    case "targets":
      return (await import("./commands/targets.js")).targets(world, command);
    case "graph":
      return (await import("./commands/graph.js")).graph(world, command);
    case "trace":
      return (await import("./commands/trace.js")).trace(world, command);
    case "watch":
      return (await import("./commands/watch.js")).watch(world, command);
    case "run":
      return (await import("./commands/run.js")).run(world, command);
  }
}
