import type { MeasuringRules, PublishRule } from "@skein/delivery-metrics";
import { defaultMetrics } from "@skein/workspaces";
import type { MetricsSettings } from "@skein/workspaces";

/**
 * How one sees what is to be measured in a repository, by the settings that are checked out. A rule that names a repository holds for
 * that one alone, any other for the one that is here; another repository without a rule has the defaults.
 * @param repository `owner/name`
 * @param isHere it is the one that is checked out
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
  for (const rule of own.length > 0 || isHere ? own : defaultMetrics.publish) {
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
