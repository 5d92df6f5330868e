import type { MigrationRequest } from "../migration.js";
import {
  faultOfDestination,
  isPackageName,
  type DestinationFault,
} from "../names/names.js";
import {
  quote,
  type ProblemOf,
  type WordsByCode,
} from "../words/problem-words.js";

const FAULTS: Readonly<Record<DestinationFault, string>> = {
  empty: "it names the workspace itself",
  absolute: "it is absolute",
  "dot-dot": "it has an empty, `.` or `..` part",
  "git-folder": "it leads into a .git folder",
  "control-characters": "it has control characters",
  backslash: "it has a backslash; folders are separated by /",
  "windows-name": "Windows does not allow a folder with that name",
  "node-modules": "it leads into node_modules",
};

/** The words of each refusal. */
export const REQUEST = {
  "bad-destination": ({
    path,
    fault,
  }: {
    path: string;
    fault: DestinationFault;
  }) => ({
    sentence: `${quote(path)} cannot be the destination: ${FAULTS[fault]}`,
    hint: "give a folder inside the workspace: --to packages/name",
  }),
  "bad-only": ({ path, fault }: { path: string; fault: DestinationFault }) => ({
    sentence: `--only ${quote(path)} is not possible: ${FAULTS[fault]}`,
    hint: "give a folder of the source, from its top: --only packages/a",
  }),
  "bad-name": ({ name }: { name: string }) => ({
    sentence: `${quote(name)} cannot be a package's name`,
    hint: "set it with --name @scope/name; if --only selects several packages, in its package.json",
  }),
  "bad-qualifier": ({ given }: { given: string }) => ({
    sentence: `${quote(given)} cannot qualify #12: it is not an owner/name`,
    hint: "name the repository that the messages refer to: --qualify-refs owner/name",
  }),
  "unknown-step": ({ id }: { id: string }) => ({
    sentence: `there is no step ${quote(id)} to skip`,
    hint: "`migrate-repo add --help` lists them",
  }),
  "run-needs-install": ({ option }: { option: string }) => ({
    sentence: `scripts can run only in an installed workspace, and ${option} skips the installation`,
    hint: `omit ${option}, or omit --run and run them yourself later`,
  }),
  "transplant-needs-graft": ({ history }: { history: string }) => ({
    sentence: `pull requests can be transplanted only onto a grafted history, not with --history ${history}`,
    hint: "omit --history, or only list them with --prs",
  }),
  "no-github": ({ given }: { given: string | undefined }) => ({
    sentence:
      given === undefined
        ? "the source's address does not show which repository on GitHub has its pull requests"
        : `${quote(given)} is not a repository on GitHub`,
    hint: "name it with --github owner/name; for GitHub Enterprise set GITHUB_API_URL, and its token in GITHUB_TOKEN",
  }),
} satisfies WordsByCode;

/** Refusals of a request's own values. */
export type RequestRefusal = ProblemOf<typeof REQUEST>;

/** Returns the refusals that follow from the request alone. */
export function refuseRequest(
  request: MigrationRequest,
  stepIds: readonly string[],
): readonly RequestRefusal[] {
  const refusals: RequestRefusal[] = request.skip
    .filter((id) => !stepIds.includes(id))
    .map((id) => ({ code: "unknown-step", id }));
  if (request.name !== undefined && !isPackageName(request.name))
    refusals.push({ code: "bad-name", name: request.name });
  const { qualifyRefs } = request;
  if (qualifyRefs !== undefined && !/^[\w.-]+(?:\/[\w.-]+)+$/.test(qualifyRefs))
    refusals.push({ code: "bad-qualifier", given: qualifyRefs });
  if (request.to !== undefined)
    refusals.push(...badDestination(request.to.replace(/\/+$/, "")));
  const without = !request.register
    ? "--no-register"
    : !request.install
      ? "--no-install"
      : undefined;
  if (request.run.length > 0 && without !== undefined)
    refusals.push({ code: "run-needs-install", option: without });
  if (request.transplant && request.history !== "graft")
    refusals.push({
      code: "transplant-needs-graft",
      history: request.history,
    });
  for (const only of request.only) {
    const [from = "", to] = only.split(/=(.*)/s);
    const fault = faultOfDestination(from.replace(/^\.\/|\/+$/g, ""));
    if (fault) refusals.push({ code: "bad-only", path: from, fault });
    if (to !== undefined) refusals.push(...badDestination(to));
  }
  return refusals;
}

/** Returns a refusal if a path can't be a destination. */
export function badDestination(path: string): readonly RequestRefusal[] {
  const fault = faultOfDestination(path);
  return fault ? [{ code: "bad-destination", path, fault }] : [];
}
