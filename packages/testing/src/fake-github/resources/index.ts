import type { Route } from "../http.js";
import { artifacts } from "./artifacts.js";
import { checkRuns } from "./check-runs.js";
import { comments } from "./comments.js";
import { commits } from "./commits.js";
import { compare } from "./compare.js";
import { dispatches } from "./dispatches.js";
import { gitData } from "./git-data.js";
import { jobs } from "./jobs.js";
import { graphql } from "./graphql.js";
import { pulls } from "./pulls.js";
import { rateLimit } from "./rate-limit.js";
import { recordedPast } from "./recorded-past.js";
import { repositories } from "./repositories.js";
import { runs } from "./runs.js";
import { statuses } from "./statuses.js";
import { workflowRuns } from "./workflow-runs.js";

/** All operations of the fake. To add a resource, add a file and a line here. */
export const routes: readonly Route[] = [
  ...repositories,
  ...pulls,
  ...compare,
  ...commits,
  ...gitData,
  ...workflowRuns,
  ...runs,
  ...jobs,
  ...artifacts,
  ...dispatches,
  ...comments,
  ...checkRuns,
  ...statuses,
  ...rateLimit,
  ...recordedPast,
  ...graphql,
];
