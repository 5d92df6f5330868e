import {
  checkNames,
  object,
  oneOf,
  optional,
  quoted,
  section,
  setting,
  string,
  strings,
} from "./readers.js";
import type { At, Reader, ValuesOf } from "./readers.js";

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

const NPM = "https://registry.npmjs.org";

const listOf =
  <T>(reader: Reader<T>): Reader<readonly T[]> =>
  (value, at) =>
    Array.isArray(value)
      ? value.map((each: unknown) => reader(each, at))
      : at.fail(`${quoted(at)} must be a list`);

const readFrom = oneOf("release", "tag", "deployment", "workflow", "npm");

const readRule: Reader<PublishSetting> = (value, at) => {
  const rule = object(value, at);
  const from = readFrom(rule["from"], at.member("from"));
  const own = (...names: readonly string[]) => {
    checkNames(rule, ["from", "repository", ...names], at);
  };
  const { allowed, needed } = texts(rule, at);
  const repository = allowed("repository");
  switch (from) {
    case "release":
    case "tag":
      own("tag", "package");
      return {
        from,
        tag: allowed("tag"),
        package: allowed("package"),
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
        job: allowed("job"),
        repository,
      };
    case "npm":
      own("package", "registry");
      return {
        from,
        package: allowed("package"),
        registry: readRegistry(rule["registry"] ?? NPM, at.member("registry")),
        repository,
      };
  }
};

const readUpgrade: Reader<UpgradeSetting> = (value, at) => {
  const rule = object(value, at);
  checkNames(rule, ["title", "author"], at);
  const { allowed, needed } = texts(rule, at);
  return { title: needed("title"), author: allowed("author") };
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
    allowed: (name: string) =>
      rule[name] === undefined ? undefined : needed(name),
  };
}

/** The settings for delivery metrics. */
export type MetricsSettings = ValuesOf<typeof METRICS>;
export const METRICS = section({
  /** The rules that identify publications. The first matching rule counts. */
  publish: setting(listOf(readRule), [
    {
      from: "release",
      tag: undefined,
      package: undefined,
      repository: undefined,
    },
  ]),
  /** The rules that identify upgrades in pull requests, besides those of Renovate and Dependabot. */
  upgrades: setting(listOf(readUpgrade), []),
  /** Files and folders, from the repository's top, whose changes appear in charts. */
  configuration: setting(strings, [
    "skein.json",
    ".yarnrc.yml",
    ".github/workflows",
  ]),
  /** The event that ends the lead time; undefined for the farthest end that the events support. */
  until: optional(oneOf("merged", "published", "upgraded")),
});
