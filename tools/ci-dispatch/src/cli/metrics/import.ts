import type { Declare } from "@skein/reporting/command-line";
import type { ImportAction } from "../../metrics/action.js";
import { placeOf, placeOptions, type PlaceFlags } from "./place.js";

/** Declares `metrics import`. */
export const addMetricsImport: Declare<ImportAction> = (metrics, emit) => {
  const verb = metrics
    .command("import")
    .description(
      "import stored rows of GitHub's REST API, or events of another store",
    )
    .argument(
      "<paths...>",
      "files, or folders of them: JSON, NDJSON or CSV (columns `data` and `url`), plain or compressed",
    );
  placeOptions(verb)
    .option(
      "--repo <owner/name>",
      "the repository of the rows that do not name one",
    )
    .examples(
      "ci-dispatch metrics import recorded/ --to events",
      "gh api --paginate 'repos/acme/app/pulls?state=all' > pulls.json",
      "ci-dispatch metrics import pulls.json --to events",
    )
    .action((paths: readonly string[], flags: PlaceFlags & { repo?: string }) =>
      emit({
        kind: "import",
        to: placeOf(flags.to, flags),
        repository: flags.repo,
        paths,
      }),
    );
};
