// Starts a shell host in a checkout: the bundled one if it is current, as the tools' bins do. A published tool has another file of
// this name, which scripts/release/bundle-program.mjs writes.
const path = process.getBuiltinModule("node:path");

const top = path.join(__dirname, "../../../..");
const bundleIsCurrent = require(
  path.join(top, "scripts/release/bundle-is-current.cjs"),
) as (tool: string) => boolean;
require(
  bundleIsCurrent("tools/affected")
    ? path.join(top, "tools/affected/bundle/shell-host/main.cjs")
    : "./host.cjs",
);
