import { InvalidArgumentError } from "commander";

/** Reads an option's whole number above 0. @throws InvalidArgumentError for any other value */
export function wholeNumber(text: string): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1)
    throw new InvalidArgumentError("It takes a whole number above 0.");
  return value;
}
