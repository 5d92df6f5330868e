import type { MeasuringRules, PublishRule } from "@skein/delivery-metrics";
import { defaultSettings, type MetricsSettings } from "@skein/workspaces";

/**
 * Returns the measuring rules of a repository from the settings in the working tree. A rule that names a repository
 * applies only to that one. Any other rule applies to the repository of the clone. Another repository without a rule
 * has the defaults.
 * @param repository `owner/name`
 * @param isHere whether the clone is of this repository
 * @param publicPackages reads the names of this workspace's packages that are not private
 */
export async function rulesFor(
  { publish, upgrades }: Pick<MetricsSettings, "publish" | "upgrades">,
  repository: string,
  isHere: boolean,
  publicPackages: () => Promise<readonly string[]>,
): Promise<MeasuringRules> {
  const own = publish.filter((rule) =>
    rule.repository === undefined
      ? isHere
      : rule.repository.toLowerCase() === repository.toLowerCase(),
  );
  const rules: PublishRule[] = [];
  for (const rule of own.length > 0 || isHere
    ? own
    : defaultSettings.metrics.publish) {
    if (rule.from !== "npm") {
      rules.push(rule);
      continue;
    }
    const { from, registry, package: named } = rule;
    const names = named === undefined ? await publicPackages() : [named];
    for (const name of names) rules.push({ from, registry, package: name });
  }
  return { upgrades, publish: rules };
}
