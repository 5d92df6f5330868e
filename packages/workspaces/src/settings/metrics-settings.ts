import {
  checkNames,
  object,
  oneOf,
  quoted,
  string,
  strings,
} from "./readers.js";
import type { At, Reader } from "./readers.js";

/** How delivery is measured. */
export interface MetricsSettings {
  /** Where one sees that something was published; a publication counts by the first that fits. */
  readonly publish: readonly PublishSetting[];
  /** How pull requests are recognized that take new versions, beside Renovate's and Dependabot's. */
  readonly upgrades: readonly UpgradeSetting[];
  /** Files and folders, from the repository's top, of which a change is shown in charts. */
  readonly configuration: readonly string[];
  /** The event that ends a change's way; undefined for the farthest end that the events know. */
  readonly until: MetricsUntil | undefined;
}

export type MetricsUntil = "merged" | "published" | "upgraded";

export type PublishSetting = PublishPlace & {
  /** `owner/name` of which this holds; undefined for the repository of this file. */
  readonly repository: string | undefined;
};

type PublishPlace =
  | {
      readonly from: "release" | "tag";
      /** Its tag, with `{package}` and `{version}` in it; undefined for any. */
      readonly tag: string | undefined;
      /** What it publishes, where the tag does not say; undefined for everything. */
      readonly package: string | undefined;
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
      /** Undefined for every package of the workspace that is not private. */
      readonly package: string | undefined;
      readonly registry: string;
    };

export interface UpgradeSetting {
  /** With `{package}` and `{version}` in it. */
  readonly title: string;
  /** The account that opens them; undefined for any. */
  readonly author: string | undefined;
}

/** What holds where skein.json says nothing. */
export const defaultMetrics: MetricsSettings = {
  publish: [
    {
      from: "release",
      tag: undefined,
      package: undefined,
      repository: undefined,
    },
  ],
  upgrades: [],
  configuration: ["skein.json", ".yarnrc.yml", ".github/workflows"],
  until: undefined,
};

const NPM = "https://registry.npmjs.org";

/** Reads the section `metrics`. @throws {SettingsError} */
export function readMetrics(value: unknown, at: At): MetricsSettings {
  if (value === undefined) return defaultMetrics;
  const section = object(value, at);
  checkNames(section, ["publish", "upgrades", "configuration", "until"], at);
  const read = <T>(name: string, reader: Reader<T>, otherwise: T) =>
    section[name] === undefined
      ? otherwise
      : reader(section[name], at.member(name));
  return {
    publish: read("publish", listOf(readRule), defaultMetrics.publish),
    upgrades: read("upgrades", listOf(readUpgrade), defaultMetrics.upgrades),
    configuration: read("configuration", strings, defaultMetrics.configuration),
    until: read<MetricsUntil | undefined>("until", readUntil, undefined),
  };
}

const listOf =
  <T>(reader: Reader<T>): Reader<readonly T[]> =>
  (value, at) =>
    Array.isArray(value)
      ? value.map((each: unknown) => reader(each, at))
      : at.fail(`${quoted(at)} must be a list`);

const readUntil = oneOf("merged", "published", "upgraded");
const readFrom = oneOf("release", "tag", "deployment", "workflow", "npm");

const readRule: Reader<PublishSetting> = (value, at) => {
  const rule = object(value, at);
  const from = readFrom(rule["from"], at.member("from"));
  const own = (...names: readonly string[]) => {
    checkNames(rule, ["from", "repository", ...names], at);
  };
  const { optional, needed } = texts(rule, at);
  const repository = optional("repository");
  switch (from) {
    case "release":
    case "tag":
      own("tag", "package");
      return {
        from,
        tag: optional("tag"),
        package: optional("package"),
        repository,
      };
    case "deployment":
      own("environment");
      return { from, environment: needed("environment"), repository };
    case "workflow":
      own("workflow", "job");
      return {
        from,
        workflow: needed("workflow"),
        job: optional("job"),
        repository,
      };
    case "npm":
      own("package", "registry");
      return {
        from,
        package: optional("package"),
        registry: readRegistry(rule["registry"] ?? NPM, at.member("registry")),
        repository,
      };
  }
};

const readUpgrade: Reader<UpgradeSetting> = (value, at) => {
  const rule = object(value, at);
  checkNames(rule, ["title", "author"], at);
  const { optional, needed } = texts(rule, at);
  return { title: needed("title"), author: optional("author") };
};

/** A registry's address, without a password in it: this file is for everybody's eyes. */
const readRegistry: Reader<string> = (value, at) => {
  const text = string(value, at);
  return /^https?:\/\/[^\s@?#]+$/.test(text) && URL.canParse(text)
    ? text.replace(/\/+$/, "")
    : at.fail(`${quoted(at)} must be the address of a registry: ${NPM}`);
};

function texts(rule: Readonly<Record<string, unknown>>, at: At) {
  const needed = (name: string) => string(rule[name], at.member(name));
  return {
    needed,
    optional: (name: string) =>
      rule[name] === undefined ? undefined : needed(name),
  };
}
