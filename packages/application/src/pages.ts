import { readdirSync } from "node:fs";
import { join } from "node:path";
import { skeinRoot } from "./packed.js";

/** Every page for users, relative to the root of the repository. */
export const pages = [
  "README.md",
  "AGENTS.md",
  "CHANGELOG.md",
  "CONTRIBUTING.md",
  "RELEASING.md",
  "SECURITY.md",
  "packages/yarn-plugin/README.md",
  ...readdirSync(join(skeinRoot, "docs"), {
    recursive: true,
    encoding: "utf8",
  })
    .filter((path) => path.endsWith(".md"))
    .map((path) => `docs/${path.replaceAll("\\", "/")}`),
];
