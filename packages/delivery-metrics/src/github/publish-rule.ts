import type { PublishedPackage } from "../events/event.js";
import { readForm } from "./form.js";

/** A rule that identifies publications. */
export type PublishRule =
  | {
      readonly from: "release" | "tag";
      /** The form of the tag; undefined for any. */
      readonly tag: string | undefined;
      /** The package that it publishes, if the tag doesn't contain a name; undefined for everything. */
      readonly package?: string | undefined;
    }
  | { readonly from: "deployment"; readonly environment: string }
  | {
      readonly from: "workflow";
      /** The file name: `release.yml`. */
      readonly workflow: string;
      /** The job that publishes; undefined for the whole run. */
      readonly job: string | undefined;
    }
  | {
      readonly from: "npm";
      readonly package: string;
      /** `https://registry.npmjs.org` */
      readonly registry: string;
    };

/**
 * Returns the packages that a tag publishes according to a rule: for `v{version}` everything, or the rule's own
 * package; for `{package}@{version}` one package.
 * @returns null for everything; undefined if the tag has another form
 */
export function taggedPackages(
  rule: Extract<PublishRule, { readonly from: "release" | "tag" }>,
  tag: string,
): readonly PublishedPackage[] | null | undefined {
  const found = rule.tag === undefined ? {} : readForm(rule.tag, tag);
  if (!found) return undefined;
  const name = found.package ?? rule.package;
  return name === undefined ? null : [{ name, version: found.version ?? null }];
}
