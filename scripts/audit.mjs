// `affected audit --check` on this repository. What is packed as one program holds the packages that it imports, so they
// are devDependencies there, and rightly so; everything else that the audit finds is a mistake.
import { spawnSync } from "node:child_process";

const PACKED_AS_ONE = ["@skein/affected", "@skein/migrate-repo"];

const audit = (...options) =>
  spawnSync("yarn", ["affected", "audit", ...options], { encoding: "utf8" });
const { stdout, stderr, status } = audit("--json");
if (status !== 0) throw new Error(stderr);
const mistakes = JSON.parse(stdout).problems.filter(
  ({ kind, workspace }) =>
    !(kind === "only-dev-dependency" && PACKED_AS_ONE.includes(workspace)),
);
if (mistakes.length > 0) {
  console.error(audit().stdout);
  process.exitCode = 1;
}
