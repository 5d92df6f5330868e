import type { PublishedPackage } from "../events/event.js";
import { readForm } from "./form.js";

/** Where one sees that something was published. */
export type PublishRule =
  | {
      readonly from: "release" | "tag";
      /** Its form; undefined for any. */
      readonly tag: string | undefined;
      /** The package that it publishes, if its name doesn't name one; undefined for everything. */
      readonly package?: string | undefined;
    }
  | { readonly from: "deployment"; readonly environment: string }
  | {
      readonly from: "workflow";
      /** File name: `release.yml`. */
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
 * Returns the packages that a tag publishes by a rule: `v{version}` is everything, or the rule's own package;
 * `{package}@{version}` one package.
 * @returns null for everything; undefined where the tag is of another form
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
