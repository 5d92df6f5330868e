import { parseCli } from "./cli.js";
import type { Command } from "./command.js";
import type { DispatchWorld } from "./world.js";

/**
 * Runs the tool: parses the command line and calls one command.
 * @returns the exit code
 */
export async function dispatch(world: DispatchWorld): Promise<number> {
  const command = parseCli(world);
  if (typeof command === "number") return command;
  try {
    return await perform(world, command);
  } catch (error) {
    // Imported here because `metrics` doesn't need the workspace, which takes long to load.
    const { withTranslatedErrors } = await import("@skein/workspaces");
    return withTranslatedErrors(() => {
      throw error;
    });
  }
}

// Runs a command. Each is loaded on demand.
async function perform(
  world: DispatchWorld,
  command: Command,
): Promise<number> {
  switch (command.kind) {
    case "plan":
      return (await import("./commands/plan.js")).plan(world, command);
    case "exec":
      return (await import("./commands/exec.js")).exec(world, command);
    case "verdict":
      return (await import("./commands/verdict.js")).verdict(world, command);
    case "retry":
      return (await import("./commands/retry.js")).retry(world, command);
    case "publish":
      return (await import("./commands/publish.js")).publish(world, command);
    case "launch":
      return (await import("./commands/launch.js")).launch(world, command);
    case "run":
      return (await import("./commands/run.js")).run(world, command);
    case "trace":
      return (await import("./commands/trace.js")).trace(world, command);
    case "metrics":
      return (await import("./commands/metrics.js")).metrics(world, command);
    case "history":
      return (await import("./commands/history.js")).history(world, command);
  }
}
