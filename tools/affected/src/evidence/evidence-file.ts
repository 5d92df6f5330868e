import { resolve } from "node:path";
import { readRegularText, usageFailure } from "@skein/reporting";
import * as json from "@skein/reporting/json";
import { packEvidence, unpackEvidence, type Evidence } from "@skein/trace";
import { writeText } from "@skein/reporting/write-text";

/** The evidence of one run under trace, as another machine uses it. */
interface EvidenceOfRun {
  readonly script: string;
  /** All units that ran, whether or not they have evidence. */
  readonly units: readonly string[];
  readonly evidence: readonly Evidence[];
}

/** Writes a file of evidence, version 1. `ci-dispatch` stores its content. */
export async function writeEvidenceFile(
  cwd: string,
  file: string,
  { script, units, evidence }: EvidenceOfRun,
): Promise<void> {
  const complete = new Set(evidence.map(({ unit }) => unit));
  const document = {
    version: 1,
    script,
    units: units.map((unit) => ({ unit, complete: complete.has(unit) })),
    evidence: packEvidence(evidence),
  };
  await writeText(cwd, file, `${JSON.stringify(document)}\n`);
}

const evidenceFile = json.object({
  version: json.number,
  script: json.text,
  evidence: json.anything,
});

/**
 * Reads files of evidence about one script. Of each unit, the evidence in the last file counts.
 * @throws {Failure} (usage) if a file can't be read or has another form
 */
export async function readEvidenceFiles(
  cwd: string,
  files: readonly string[],
  script: string,
): Promise<ReadonlyMap<string, Evidence>> {
  const evidence = new Map<string, Evidence>();
  for (const file of files)
    try {
      const text = await readRegularText(resolve(cwd, file));
      const run = json.parse(text, evidenceFile, "evidence");
      if (run.version !== 1 || run.script !== script) continue;
      for (const each of unpackEvidence(run.evidence))
        evidence.set(each.unit, each);
    } catch (error) {
      throw usageFailure(
        `this isn't a file of evidence: ${(error as Error).message}`,
        {
          place: { file },
          hint: "create it with `affected trace --evidence FILE`",
          cause: error,
        },
      );
    }
  return evidence;
}
