import type { PublishedPackage } from "../events/event.js";
import { readForm, writtenPackage } from "./form.js";
import type { PullFacts } from "./pull-facts.js";

/** How one sees that a pull request takes new versions of packages, where no program is known that writes so. */
export interface UpgradeRule {
  /** `Bump {package} to {version}` */
  readonly title: string;
  /** The account that opens them; undefined for any. */
  readonly author: string | undefined;
}

/** A pull request does not raise more; a text that says so is not read further. */
const MOST = 200;
const BRANCH = /^(?:renovate|dependabot)\//;

/**
 * Returns the packages of which a pull request takes a new version: of Renovate's and Dependabot's by their texts, of
 * others by the rules.
 * Empty for every other. Pure.
 */
export function upgradesOf(
  { author, branch, title, body }: PullFacts,
  rules: readonly UpgradeRule[],
): readonly PublishedPackage[] {
  const text = title ?? "";
  for (const rule of rules) {
    if (rule.author !== undefined && rule.author !== author.login) continue;
    const found = readForm(rule.title, text);
    const read = found && writtenPackage(found.package ?? "", found.version);
    if (read) return [read];
  }
  // A Renovate that a team runs itself goes by any name.
  if (!author.bot && !BRANCH.test(branch)) return [];
  const listed = inBody(body ?? "");
  return listed.length > 0 ? listed : inTitle(text);
}

/** Returns every line in which a body lists one; what is folded up are release notes, which are others' words. */
function inBody(body: string): readonly PublishedPackage[] {
  const found = new Map<string, PublishedPackage>();
  let folds = 0;
  for (const line of body.split(/\r?\n/)) {
    folds += line.split("<details").length - line.split("</details").length;
    if (folds > 0 || found.size === MOST) continue;
    const [, name, version] = LISTED.map((form) => form.exec(line)).find(
      (match) => match !== null,
    ) ?? [undefined, undefined, undefined];
    const read = writtenPackage(name ?? "", version);
    if (read) found.set(read.name, read);
  }
  return [...found.values()];
}

/** Forms of one line. Nothing in them can be read in more than one way, so that no text makes them slow. */
const LISTED: readonly RegExp[] = [
  // Renovate: | [@acme/ui](https://…) | [`1.1.0` -> `1.2.0`](https://…) | …
  /^\|\s*\[?([@\w][\w@/.~-]*)[\]| ].*`[^`]*` (?:->|→) `([^`]*)`/,
  // Dependabot, of several: Updates `@acme/ui` from 1.1.0 to 1.2.0
  /^Updates `([^`]+)` from \S+ to (\S+)/,
];

/** Returns the one that a title names. */
function inTitle(title: string): readonly PublishedPackage[] {
  for (const form of TITLES) {
    const [, name, version] = form.exec(title) ?? [];
    const read = writtenPackage(name ?? "", version);
    if (read) return [read];
  }
  return [];
}

const TITLES: readonly RegExp[] = [
  // Bump @acme/ui from 1.1.0 to 1.2.0 in /packages/web
  /\bbump (\S+) from \S+ to (\S+)/i,
  // Update dependency @acme/ui to v1.2.0
  /\b(?:update|pin) (?:dependency )?(\S+) to (\S+)/i,
];
