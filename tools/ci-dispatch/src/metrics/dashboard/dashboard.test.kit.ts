import type {
  AnnotationKind,
  DeliveryEvent,
  Instant,
} from "@skein/delivery-metrics";
import { lastRuns, makeReport } from "@skein/delivery-metrics";
import type { Dashboard } from "./dashboard.js";

const DAY = 86_400_000;
const MINUTE = 60_000;
/** The end of the weeks that the tests use. */
export const END: Instant = Date.UTC(2026, 2, 30);
const REPOSITORY = "acme/web";

/** Names with which an attacker could try to inject code. */
export const HOSTILE = [
  '</style><script>alert("title")</script>',
  "\"><img src=x onerror=alert('quote')>",
  "${7*7} {{7*7}} $& <!-- title -->",
  "\u202egnp.exe @everyone &amp;",
] as const;

export interface Weeks {
  readonly pulls: number;
  /** The names of packages, owners, jobs and titles. */
  readonly names?: readonly string[];
}

/**
 * Returns the events of the six weeks before END. Pull request n has a build of `n % 50` minutes, a review of an hour,
 * and a release soon after.
 */
export function weeks({ pulls, names = ["web"] }: Weeks): DeliveryEvent[] {
  const named = (at: number) => names[at % names.length] ?? "";
  return [
    ...Array.from({ length: pulls }, (_, index) => {
      const pull = index + 1;
      const begin =
        END - 42 * DAY + ((42 * DAY - 4 * 3_600_000) * index) / pulls;
      return onePull(pull, Math.round(begin), named(index));
    }).flat(),
    ...names.map((name, index) =>
      annotated(index * 2 + 3, index % 2 ? "migration" : "configuration", name),
    ),
  ];
}

function annotated(
  daysBefore: number,
  what: AnnotationKind,
  text: string,
): DeliveryEvent {
  const at = END - daysBefore * DAY;
  return {
    kind: "annotated",
    at,
    repository: REPOSITORY,
    what,
    key: text,
    text,
  };
}

function onePull(pull: number, begin: Instant, name: string): DeliveryEvent[] {
  const about = { repository: REPOSITORY, pull };
  const sha = pull.toString(16).padStart(40, "0");
  const merge = pull.toString(16).padStart(40, "f");
  const build = (5 + (pull % 50)) * MINUTE;
  const merged = begin + build + 60 * MINUTE;
  return [
    {
      kind: "pull-opened",
      at: begin,
      ...about,
      author: name,
      bot: pull % 17 === 0,
      branch: `topic-${pull}`,
      base: "main",
      draft: false,
      fork: false,
      title: `Change ${name}`,
    },
    { kind: "pull-pushed", at: begin, ...about, sha, forced: false },
    ...run(pull, begin, build, name, { sha, fails: pull % 11 === 0 }),
    {
      kind: "pull-attributed",
      at: merged,
      ...about,
      packages: [`@acme/${name}`, "@acme/core"],
      owners: [name],
    },
    {
      kind: "pull-merged",
      at: merged,
      ...about,
      sha: merge,
      head: sha,
      base: "main",
      method: "squash",
    },
    {
      kind: "published",
      at: merged + 12 * MINUTE,
      repository: REPOSITORY,
      channel: "release",
      key: `v${pull}`,
      sha: merge,
      environment: null,
      started: merged + 8 * MINUTE,
      packages: null,
      pulls: null,
    },
  ];
}

/**
 * Returns a run of three jobs, the last of which takes as long as the run. A failing run passes in its second attempt.
 */
function run(
  number: number,
  begin: Instant,
  build: number,
  name: string,
  { sha, fails }: { readonly sha: string; readonly fails: boolean },
): DeliveryEvent[] {
  return (fails ? [1, 2] : [1]).flatMap((attempt): DeliveryEvent[] => {
    const started = begin + (attempt - 1) * (build + MINUTE);
    const conclusion = fails && attempt === 1 ? "failure" : "success";
    const of = { repository: REPOSITORY, run: number, attempt };
    return [
      {
        kind: "run-started",
        at: started,
        ...of,
        workflow: name,
        path: ".github/workflows/ci.yml",
        event: "pull_request",
        branch: `topic-${number}`,
        sha,
        pulls: [number],
        created: begin,
      },
      {
        kind: "run-completed",
        at: started + build,
        ...of,
        started,
        conclusion,
        jobs: [0.3, 0.6, 1].map((part, index) => ({
          name: `${name} ${index + 1}`,
          created: started,
          started: started + MINUTE,
          completed: started + Math.round(MINUTE + (build - MINUTE) * part),
          conclusion: part === 1 ? conclusion : "success",
        })),
      },
    ];
  });
}

/** Returns the page's input for these weeks. */
export function dashboardOf(
  events: readonly DeliveryEvent[],
  { minimum, ...own }: Partial<Dashboard> & { readonly minimum?: number } = {},
): Dashboard {
  return {
    report: makeReport(events, { asOf: END, days: 42, minimum }),
    runs: lastRuns(events, { asOf: END, most: 3 }),
    server: "https://github.com",
    budget: undefined,
    ...own,
  };
}
