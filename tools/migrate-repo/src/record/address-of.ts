import { Failure } from "@skein/reporting";
import type { SourceAddress } from "../migration.js";
import { parseSource } from "../names/source-address.js";

/** Parses and checks the address in a record, although it was accepted once. */
export function addressOf(fetchFrom: string): SourceAddress {
  const isFolder = fetchFrom.startsWith("/") || /^[A-Za-z]:\\/.test(fetchFrom);
  const address = parseSource(fetchFrom, isFolder ? fetchFrom : undefined);
  if ("code" in address)
    throw new Failure("the record names a source that cannot be read", {
      hint: "someone changed refs/migrate; fetch it again from where it was made",
    });
  return address;
}
