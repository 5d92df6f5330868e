import type { MetricsCommand } from "../command.js";
import type { DispatchWorld } from "../world.js";

/** Runs `ci-dispatch metrics …`. Each verb is loaded on demand. */
export async function metrics(
  world: DispatchWorld,
  { action }: MetricsCommand,
): Promise<number> {
  switch (action.kind) {
    case "sync":
      return (await import("../metrics/sync.js")).metricsSync(world, action);
    case "import":
      return (await import("../metrics/import.js")).metricsImport(
        world,
        action,
      );
    case "export":
      return (await import("../metrics/export.js")).metricsExport(
        world,
        action,
      );
    case "report":
      return (await import("../metrics/report.js")).report(world, action);
    case "dashboard":
      return (await import("../metrics/dashboard.js")).dashboard(world, action);
    case "compare":
      return (await import("../metrics/compare.js")).compare(world, action);
  }
}
