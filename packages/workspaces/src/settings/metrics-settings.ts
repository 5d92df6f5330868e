import { checkNames, object, oneOf, quoted, string } from "./readers.js";
import type { At, Reader } from "./readers.js";

/** How delivery is measured. */
export interface MetricsSettings {
  /** Where one sees that something was published; a publication counts by the first that fits. */
  readonly publish: readonly PublishSetting[];
}

export type PublishSetting =
  | {
      readonly from: "release" | "tag";
      /** Its tag, with `{package}` and `{version}` in it; undefined for any. */
      readonly tag: string | undefined;
    }
  | { readonly from: "deployment"; readonly environment: string }
  | {
      readonly from: "workflow";
      /** File name: `release.yml`. */
      readonly workflow: string;
      /** The job that publishes; undefined for the whole run. */
      readonly job: string | undefined;
    };

/** What holds where skein.json says nothing. */
export const defaultMetrics: MetricsSettings = {
  publish: [{ from: "release", tag: undefined }],
};

/** Reads the section `metrics`. @throws {SettingsError} */
export function readMetrics(value: unknown, at: At): MetricsSettings {
  if (value === undefined) return defaultMetrics;
  const section = object(value, at);
  checkNames(section, ["publish"], at);
  const { publish } = section;
  if (publish === undefined) return defaultMetrics;
  const place = at.member("publish");
  if (!Array.isArray(publish))
    return place.fail(`${quoted(place)} must be a list`);
  return { publish: publish.map((rule: unknown) => readRule(rule, place)) };
}

const readFrom = oneOf("release", "tag", "deployment", "workflow");

const readRule: Reader<PublishSetting> = (value, at) => {
  const rule = object(value, at);
  const from = readFrom(rule["from"], at.member("from"));
  const own = (...names: readonly string[]) => {
    checkNames(rule, ["from", ...names], at);
  };
  const optional = (name: string) =>
    rule[name] === undefined ? undefined : string(rule[name], at.member(name));
  const needed = (name: string) => string(rule[name], at.member(name));
  switch (from) {
    case "release":
    case "tag":
      own("tag");
      return { from, tag: optional("tag") };
    case "deployment":
      own("environment");
      return { from, environment: needed("environment") };
    case "workflow":
      own("workflow", "job");
      return { from, workflow: needed("workflow"), job: optional("job") };
  }
};
