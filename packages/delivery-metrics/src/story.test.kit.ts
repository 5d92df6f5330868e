import type {
  Conclusion,
  DeliveryEvent,
  EventKind,
  EventOf,
  Job,
  Published,
  RunStarted,
} from "./events/event.js";

/** A Monday. Stories count minutes from here. */
export const START = Date.UTC(2026, 0, 5);
export const MINUTE = 60_000;
export const REPOSITORY = "acme/web";

/** Returns the time of a story, in milliseconds since 1970. @param minutes since its start */
export const at = (minutes: number): number => START + minutes * MINUTE;
/** Converts milliseconds to minutes. */
export const minutes = (ms: number): number => ms / MINUTE;

/** Returns a commit id for a word. */
export function sha(word: string): string {
  return Array.from(word, (letter) => letter.charCodeAt(0).toString(16))
    .join("")
    .padEnd(40, "0")
    .slice(0, 40);
}

type Own<E extends DeliveryEvent> = Partial<Omit<E, "kind">>;
type WithoutOwn = "kind" | "at" | "repository";

/** Returns an event of REPOSITORY, at a minute. */
export function event<Kind extends EventKind>(
  kind: Kind,
  when: number,
  own: Omit<EventOf<Kind>, WithoutOwn> & { readonly repository?: string },
): EventOf<Kind> {
  return {
    kind,
    at: at(when),
    repository: REPOSITORY,
    ...own,
  } as unknown as EventOf<Kind>;
}

/** Returns the opening of a pull request. @param when in minutes since the start */
export function opened(
  pull: number,
  when: number,
  own: Own<EventOf<"pull-opened">> = {},
): EventOf<"pull-opened"> {
  return event("pull-opened", when, {
    pull,
    author: "ada",
    bot: false,
    branch: `topic-${pull}`,
    base: "main",
    draft: false,
    fork: false,
    title: null,
    ...own,
  });
}

/** Returns a merge. The head is `sha("head N")`, and the commit on main `sha("main N")`. */
export function merged(
  pull: number,
  when: number,
  own: Own<EventOf<"pull-merged">> = {},
): EventOf<"pull-merged"> {
  return event("pull-merged", when, {
    pull,
    sha: sha(`main ${pull}`),
    head: sha(`head ${pull}`),
    base: "main",
    method: "squash",
    ...own,
  });
}

/** Returns a change of a pull request's state. @param when in minutes since the start */
export function marked(
  kind:
    | "pull-ready"
    | "pull-draft"
    | "pull-closed"
    | "pull-reopened"
    | "queue-entered",
  pull: number,
  when: number,
): DeliveryEvent {
  return {
    kind,
    at: at(when),
    repository: REPOSITORY,
    pull,
  };
}

/** Returns a review of a pull request. @param when in minutes since the start */
export function reviewed(
  pull: number,
  when: number,
  own: {
    readonly review?: number;
    readonly reviewer?: string;
    readonly bot?: boolean;
    readonly state?: "approved" | "changes-requested" | "commented";
  } = {},
): DeliveryEvent {
  return event("pull-reviewed", when, {
    pull,
    review: when,
    reviewer: "grace",
    bot: false,
    state: "approved",
    ...own,
  });
}

/** Returns a push to a pull request. @param word names the commit */
export function pushed(
  pull: number,
  when: number,
  word = `head ${pull}`,
  forced = false,
): DeliveryEvent {
  return event("pull-pushed", when, { pull, sha: sha(word), forced });
}

/**
 * Returns an attempt of a run, with one job that a runner starts after `wait` minutes. If `to` is null, it is in
 * progress.
 */
export function run(
  number: number,
  from: number,
  to: number | null,
  own: Own<RunStarted> & {
    readonly wait?: number;
    readonly conclusion?: Conclusion;
    readonly jobs?: readonly Job[];
  } = {},
): DeliveryEvent[] {
  const { wait = 0, conclusion = "success", jobs, ...rest } = own;
  const started = event("run-started", from, {
    run: number,
    attempt: 1,
    workflow: "CI",
    path: ".github/workflows/ci.yml",
    event: "pull_request",
    branch: null,
    sha: sha("head 1"),
    pulls: [],
    created: at(from),
    ...rest,
  });
  if (to === null) return [started];
  return [
    started,
    {
      kind: "run-completed",
      at: at(to),
      repository: started.repository,
      run: number,
      attempt: started.attempt,
      started: started.at,
      conclusion,
      jobs: jobs ?? [
        {
          name: "test",
          created: started.at,
          started: at(from + wait),
          completed: at(to),
          conclusion,
        },
      ],
    },
  ];
}

/** Returns a release. @param when in minutes since the start */
export function published(
  when: number,
  own: Own<Published> & { readonly sha?: string | null } = {},
): Published {
  return event("published", when, {
    channel: "release",
    key: `v${when}`,
    sha: sha("main 1"),
    environment: null,
    started: null,
    packages: null,
    pulls: null,
    ...own,
  });
}

/**
 * Returns a pull request with a single build that takes this many minutes. It is opened at its start and merged at its
 * end.
 */
export function built(
  pull: number,
  from: number,
  took: number,
  own: { readonly bot?: boolean } = {},
): DeliveryEvent[] {
  const head = sha(`head ${pull}`);
  return [
    opened(pull, from, own),
    ...run(pull, from, from + took, { sha: head }),
    merged(pull, from + took),
  ];
}
