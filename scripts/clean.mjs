// Removes what the build wrote: a deleted test would otherwise leave its compiled file behind and still run.
import { readdirSync, rmSync } from "node:fs";

for (const folder of ["packages", "tools"]) {
  for (const name of readdirSync(folder))
    rmSync(`${folder}/${name}/dist`, { recursive: true, force: true });
}
rmSync("reports", { recursive: true, force: true });
