// Starts a shell host in a checkout. While scripts/test.mjs runs the tests, that is the packed one, as the tools' bins start the
// packed tools. A published tool has another file of this name, which scripts/release/bundle-program.mjs writes.
const { existsSync } = process.getBuiltinModule("node:fs");
const path = process.getBuiltinModule("node:path");

const top = path.join(__dirname, "../../../..");
require(
  existsSync(path.join(top, "reports/bundles-are-current"))
    ? path.join(top, "tools/affected/bundle/shell-host/main.cjs")
    : "./host.cjs",
);
