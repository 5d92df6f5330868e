import { count, formatDuration, printable } from "@skein/reporting";
import type { Attestation, AttestedUnit } from "../attestation.js";

/** Renders a job's record: a line for each unit, with the evidence of failures. */
export function renderAttestation({
  job,
  attempt,
  machine,
  units,
}: Attestation): string {
  const failed = units.filter(({ verdict }) => verdict === "failed");
  return `${units.map(unitLines).join("")}${job}, attempt ${attempt}${machine > 1 ? ` on machine ${machine}` : ""}: ${count(units.length, "unit")}, ${failed.length} failed\n`;
}

function unitLines({ id, verdict, durationMs, failure }: AttestedUnit): string {
  const kind = failure ? ` (${failure.class})` : "";
  const evidence = (failure?.evidence ?? []).map(
    (line) => `  ${printable(line)}\n`,
  );
  return `${verdict}${kind} ${printable(id)} ${formatDuration(durationMs)}\n${evidence.join("")}`;
}
