import { Failure } from "@skein/reporting";
import type { SourceAddress } from "../migration.js";
import { parseSource } from "../names/source-address.js";

/** A record holds an address that was accepted once; it is read again all the same. */
export function addressOf(fetchFrom: string): SourceAddress {
  const isFolder = fetchFrom.startsWith("/") || /^[A-Za-z]:\\/.test(fetchFrom);
  const address = parseSource(fetchFrom, isFolder ? fetchFrom : undefined);
  if ("code" in address)
    throw new Failure("the record names a source that cannot be read", {
      hint: "someone changed refs/migrate; fetch it again from where it was made",
    });
  return address;
}
