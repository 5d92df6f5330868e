import { Failure, printable } from "@skein/reporting";
import { SourceError } from "./announcement.js";

/** Returns a failure that explains an error about a source, with a hint. Other errors are returned unchanged. */
export function explainSource(error: unknown): unknown {
  return error instanceof SourceError ? explainSourceError(error) : error;
}

/** Returns a failure that explains git's error about a source, with a hint. */
export function explainSourceError({
  shown,
  gitMessage,
}: SourceError): Failure {
  const where = printable(shown);
  const line =
    gitMessage.split("\n").find((text) => /^(?:fatal|error): /.test(text)) ??
    gitMessage;
  const fsck = /^error: object ([0-9a-f]+): (\w+): (.*)$/m.exec(gitMessage);
  if (fsck)
    return new Failure(
      `${where} contains an object that git's checks reject: ${fsck[2] ?? ""} (${printable(fsck[3] ?? "")}) in ${fsck[1] ?? ""}`,
      {
        hint: "such an object could write outside the package; remove it from the source's history first (git filter-repo)",
      },
    );
  if (gitMessage.includes("dubious ownership"))
    return new Failure(`${where} belongs to another user of this machine`, {
      hint: `if you trust it: git config --global --add safe.directory ${where}`,
    });
  if (/transport '.*' not allowed/.test(gitMessage))
    return new Failure(
      `the address ${where} leads to a transport that is not allowed`,
      {
        hint: "only https, ssh, file and git are; see url.*.insteadOf in your git config",
      },
    );
  if (/No space left on device|Disk quota exceeded/.test(gitMessage))
    return new Failure(
      `cannot fetch ${where}: ${printable(line.replace(/^(?:fatal|error): /, ""))}`,
      { hint: "free some disk space; the workspace is as it was" },
    );
  return new Failure(
    `cannot read the source ${where}: ${printable(line.replace(/^(?:fatal|error): /, ""))}`,
    {
      hint: "check the address, and that `git ls-remote` can read it; private repositories need your git credentials",
    },
  );
}
