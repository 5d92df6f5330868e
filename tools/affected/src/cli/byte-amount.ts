import { InvalidArgumentError } from "commander";
import { parseBytes } from "@skein/result-cache";

/** Parses the value of an option that is a size: `500MiB`. @throws {InvalidArgumentError} */
export function byteAmount(text: string): number {
  const bytes = parseBytes(text);
  if (bytes === undefined)
    throw new InvalidArgumentError("It must be a size, such as 500MiB.");
  return bytes;
}
