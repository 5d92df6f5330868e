import type { PublishedPackage } from "../events/event.js";
import { readForm, writtenPackage } from "./form.js";
import type { PullFacts } from "./pull-facts.js";

/** A rule that identifies upgrades in pull requests that neither Renovate nor Dependabot opened. */
export interface UpgradeRule {
  /** `Bump {package} to {version}` */
  readonly title: string;
  /** The account that opens them; undefined for any. */
  readonly author: string | undefined;
}

/** The maximum number of upgrades in a pull request. Further lines of its text are ignored. */
const MOST = 200;
const BRANCH = /^(?:renovate|dependabot)\//;

/**
 * Returns the packages that a pull request upgrades, from the texts of Renovate and Dependabot, or by the rules for
 * other pull requests. Empty for all others. Pure.
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
  // A self-hosted Renovate may use any account.
  if (!author.bot && !BRANCH.test(branch)) return [];
  const listed = inBody(body ?? "");
  return listed.length > 0 ? listed : inTitle(text);
}

/**
 * Returns every upgrade that a body lists. Folded sections are skipped, because they contain release notes by others.
 */
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

/** The forms of a line. None is ambiguous, so that no text makes matching slow. */
const LISTED: readonly RegExp[] = [
  // Renovate: | [@acme/ui](https://…) | [`1.1.0` -> `1.2.0`](https://…) | …
  /^\|\s*\[?([@\w][\w@/.~-]*)[\]| ].*`[^`]*` (?:->|→) `([^`]*)`/,
  // Dependabot, with several upgrades: Updates `@acme/ui` from 1.1.0 to 1.2.0
  /^Updates `([^`]+)` from \S+ to (\S+)/,
];

/** Returns the upgrade in a title. */
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
