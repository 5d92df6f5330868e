import { lage } from "./lage.js";
import { lerna } from "./lerna.js";
import { moon } from "./moon.js";
import { node } from "./node.js";
import { nx } from "./nx.js";
import { pnpm } from "./pnpm.js";
import { skein } from "./skein.js";
import type { Tool } from "./tool.js";
import { turborepo } from "./turborepo.js";
import { yarn } from "./yarn.js";

/** Every compared tool, in the order of the table. */
export const TOOLS: readonly Tool[] = [
  skein,
  node,
  turborepo,
  pnpm,
  nx,
  lage,
  moon,
  yarn,
  lerna,
];
