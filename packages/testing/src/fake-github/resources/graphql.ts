import { readFileSync } from "node:fs";
import { buildSchema, execute, parse, validate } from "graphql";
import type { DocumentNode, GraphQLSchema } from "graphql";
import { makeQuery } from "../graphql/query.js";
import type { Route } from "../http.js";

const FILE = new URL(
  "../../../fixtures/github-schema.graphql",
  import.meta.url,
);

let schema: GraphQLSchema | undefined;
/** Queries that are valid in the schema. */
const known = new Map<string, DocumentNode>();

interface GraphqlBody {
  readonly query: string;
  readonly variables?: Readonly<Record<string, unknown>>;
}

/** The GraphQL API. It validates queries with GitHub's own schema, and answers them from the repository's past. */
export const graphql: readonly Route[] = [
  {
    operation: "POST /graphql",
    async answer(request) {
      schema ??= buildSchema(readFileSync(FILE, "utf8"));
      const { query, variables = {} } = request.body as GraphqlBody;
      const document = known.get(query) ?? parse(query);
      // An invalid query is a bug in our code, not an error that a client has to handle.
      if (!known.has(query))
        for (const mistake of validate(schema, document)) throw mistake;
      known.set(query, document);
      const missing: string[] = [];
      const { data, errors = [] } = await execute({
        schema,
        document,
        variableValues: variables,
        rootValue: makeQuery(request.state, (id) => missing.push(id)),
      });
      const [wrong] = errors;
      if (wrong) throw wrong;
      return {
        body: {
          data,
          ...(missing.length > 0 && {
            errors: missing.map((id) => ({
              type: "NOT_FOUND",
              message: `Could not resolve to a node with the global id of '${id}'.`,
            })),
          }),
        },
      };
    },
  },
];
