import {
  checkNames,
  membersOf,
  object,
  oneOf,
  quoted,
  string,
  strings,
} from "./readers.js";
import type { At, Reader } from "./readers.js";

/** The settings for delivery metrics. */
export interface MetricsSettings {
  /** The rules that identify publications. The first matching rule counts. */
  readonly publish: readonly PublishSetting[];
  /** The rules that identify upgrades in pull requests, besides those of Renovate and Dependabot. */
  readonly upgrades: readonly UpgradeSetting[];
  /** Files and folders, from the repository's top, whose changes appear in charts. */
  readonly configuration: readonly string[];
  /** The event that ends the lead time; undefined for the farthest end that the events support. */
  readonly until: MetricsUntil | undefined;
}

export type MetricsUntil = "merged" | "published" | "upgraded";

export type PublishSetting = PublishPlace & {
  /** The repository (`owner/name`) that the rule is for; undefined for the repository of this file. */
  readonly repository: string | undefined;
};

type PublishPlace =
  | {
      readonly from: "release" | "tag";
      /** The form of its tag, with `{package}` and `{version}`; undefined for any. */
      readonly tag: string | undefined;
      /** The package that it publishes, if the tag doesn't contain it; undefined for everything. */
      readonly package: string | undefined;
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
      /** Undefined for every package of the workspace that isn't private. */
      readonly package: string | undefined;
      readonly registry: string;
    };

export interface UpgradeSetting {
  /** The form of the title, with `{package}` and `{version}`. */
  readonly title: string;
  /** The account that opens them; undefined for any. */
  readonly author: string | undefined;
}

/** The settings if skein.json has no section `metrics`. */
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

/**
 * Reads the section `metrics`.
 * @throws {SettingsError}
 */
export function readMetrics(value: unknown, at: At): MetricsSettings {
  const member = membersOf(value, at, defaultMetrics);
  return {
    publish: member("publish", listOf(readRule)),
    upgrades: member("upgrades", listOf(readUpgrade)),
    configuration: member("configuration", strings),
    until: member("until", readUntil),
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

/** Reads a registry's URL, which must not contain a password, because this file isn't secret. */
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
