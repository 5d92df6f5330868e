import type { PublishedPackage } from "../events/event.js";

/** Where one sees that something was published. */
export type PublishRule =
  | { readonly from: "release" | "tag"; readonly tag: string | undefined }
  | { readonly from: "deployment"; readonly environment: string }
  | {
      readonly from: "workflow";
      /** File name: `release.yml`. */
      readonly workflow: string;
      /** The job that publishes; undefined for the whole run. */
      readonly job: string | undefined;
    };

/**
 * What a tag publishes, by a rule's form: `v{version}` is everything, `{package}@{version}` one package.
 * @param form undefined: every tag counts, and publishes everything
 * @returns null for everything; undefined where the tag is of another form
 */
export function taggedPackages(
  form: string | undefined,
  tag: string,
): readonly PublishedPackage[] | null | undefined {
  if (form === undefined) return null;
  const pattern = form
    .replaceAll(/[.*+?^$()|[\]\\]/g, "\\$&")
    .replace("{package}", "(?<package>@[^\\s/@]+/[^\\s/@]+?|[^\\s/@]+?)")
    .replace("{version}", "(?<version>\\d[^\\s]*)");
  const found = new RegExp(`^${pattern}$`).exec(tag);
  if (!found) return undefined;
  const { package: name, version = null } = found.groups ?? {};
  return name === undefined ? null : [{ name, version }];
}
