import type { FakeRepository, State } from "./state.js";

/** A parsed request for a resource, with decoded path parameters. */
export interface ApiRequest {
  readonly method: string;
  /** Path parameters by their names in the template. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly body: unknown;
  /** The full URL of the request, for page links. */
  readonly url: URL;
  readonly state: State;
  /** The repository that the path names. Reading it throws a 404 if it doesn't exist. */
  readonly repository: FakeRepository;
}

/** The answer of a resource. The server adds rate-limit headers, an ETag and the log entry. */
export interface Answer {
  /** Default: 200. */
  readonly status?: number;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** An operation, under its path in GitHub's OpenAPI description. */
export interface Route {
  /** `GET /repos/{owner}/{repo}/pulls/{pull_number}` */
  readonly operation: string;
  /** The permission that GitHub requires of a fine-grained token. A token without it gets a 403. */
  readonly permission?: string;
  readonly answer: (request: ApiRequest) => Answer | Promise<Answer>;
}

/** An error that a resource throws to answer with GitHub's message. */
export class ApiError extends Error {
  readonly answer: Answer & { readonly status: number };
  constructor(status: number, message: string) {
    super(message);
    this.answer = {
      status,
      body: {
        message,
        documentation_url: "https://docs.github.com/rest",
        status: String(status),
      },
    };
  }
}

/** Returns GitHub's error for a resource that doesn't exist. */
export function notFound(): ApiError {
  return new ApiError(404, "Not Found");
}

/** Returns the repository that path parameters name. @throws a 404 if it doesn't exist */
export function findRepository(
  { owner = "", repo = "" }: ApiRequest["params"],
  { repositories }: State,
): FakeRepository {
  const found = repositories.get(`${owner}/${repo}`.toLowerCase());
  if (!found) throw notFound();
  return found;
}

/**
 * Returns one page of a list with GitHub's `Link` header.
 * @param cap the maximum number of items over all pages; GitHub doesn't report the rest
 * @see https://docs.github.com/rest/using-the-rest-api/using-pagination-in-the-rest-api
 */
export function paged<T>(
  { query, url }: ApiRequest,
  items: readonly T[],
  { cap = Infinity, defaultSize = 30 } = {},
): { readonly items: readonly T[]; readonly headers: Record<string, string> } {
  const size = Math.min(Number(query.get("per_page") ?? defaultSize), 100);
  const page = Number(query.get("page") ?? 1);
  const listed = items.slice(0, cap);
  const last = Math.max(1, Math.ceil(listed.length / size));
  const links: string[] = [];
  const link = (number: number, rel: string) => {
    const target = new URL(url);
    target.searchParams.set("page", String(number));
    links.push(`<${target.href}>; rel="${rel}"`);
  };
  if (page > 1) link(page - 1, "prev");
  if (page < last) link(page + 1, "next");
  if (page < last) link(last, "last");
  if (page > 1) link(1, "first");
  return {
    items: listed.slice((page - 1) * size, page * size),
    headers: links.length > 0 ? { link: links.join(", ") } : {},
  };
}

/**
 * Finds the route of a request.
 * @returns the route and its parameters, or undefined
 */
export function matchRoute(
  routes: readonly Route[],
  method: string,
  path: string,
): { route: Route; params: Record<string, string> } | undefined {
  for (const route of routes) {
    const { verb, names, pattern } = shapeOf(route);
    if (verb !== method) continue;
    const values = pattern.exec(path)?.slice(1);
    if (!values) continue;
    const params = names.map((name, index) => [
      name,
      decodeURIComponent(values[index] ?? ""),
    ]);
    return {
      route,
      params: Object.fromEntries(params) as Record<string, string>,
    };
  }
  return undefined;
}

interface Shape {
  readonly verb: string;
  readonly names: readonly (string | undefined)[];
  readonly pattern: RegExp;
}

const shapes = new WeakMap<Route, Shape>();

function shapeOf(route: Route): Shape {
  let shape = shapes.get(route);
  if (shape) return shape;
  const [verb = "", template = ""] = route.operation.split(" ");
  shape = {
    verb,
    names: [...template.matchAll(/\{(\w+)\}/g)].map(([, name]) => name),
    pattern: new RegExp(`^${template.replaceAll(/\{\w+\}/g, "([^/]+)")}$`),
  };
  shapes.set(route, shape);
  return shape;
}
