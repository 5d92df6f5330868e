import { attributeMacros } from "./clean-up/git/attribute-macros.js";
import { blameIgnoreRevs } from "./clean-up/git/blame-ignore-revs.js";
import { changesets } from "./clean-up/changesets.js";
import { ci } from "./clean-up/ci.js";
import { codeowners } from "./clean-up/git/codeowners.js";
import { extendedConfigs } from "./clean-up/settings/extended-configs.js";
import { gitHooks } from "./clean-up/git/git-hooks.js";
import { ignoreRules } from "./clean-up/git/ignore-rules.js";
import { keptSettings } from "./clean-up/settings/kept-settings.js";
import { lfsSettings } from "./clean-up/git/lfs-settings.js";
import { lineEndings } from "./clean-up/git/line-endings.js";
import { lockfiles } from "./clean-up/lockfiles.js";
import { mailmap } from "./clean-up/git/mailmap.js";
import { managerSettings } from "./clean-up/manager-settings.js";
import { manifestFields } from "./clean-up/manifest/manifest-fields.js";
import { npmignore } from "./clean-up/manifest/npmignore.js";
import { outsidePaths } from "./clean-up/settings/outside-paths.js";
import { releaseTools } from "./clean-up/release-tools.js";
import { submodules } from "./clean-up/git/submodules.js";
import { updateBots } from "./clean-up/update-bots.js";
import { yarnPatches } from "./clean-up/yarn-patches.js";
import type { Step } from "./step.js";

/** Steps that touch every line of a file. They have their own commit before the clean-up. */
export const wholeFileSteps: readonly Step[] = [lineEndings];

/** The clean-up, in order. A new step needs a file and a line here. */
export const cleanUpSteps: readonly Step[] = [
  lockfiles,
  managerSettings,
  gitHooks,
  ci,
  updateBots,
  changesets,
  releaseTools,
  attributeMacros,
  submodules,
  mailmap,
  lfsSettings,
  blameIgnoreRevs,
  codeowners,
  yarnPatches,
  manifestFields,
  npmignore,
  keptSettings,
  extendedConfigs,
  outsidePaths,
  ignoreRules,
];

/** Every step before the registration, in order. */
export const steps: readonly Step[] = [...wholeFileSteps, ...cleanUpSteps];
