import type { Ci } from "@skein/ci";
import { readRegularText } from "@skein/reporting";

/** Returns GitHub's event as JSON; empty if the engine has no such file, or if it can't be read. */
export async function eventPayload({
  event,
}: Pick<Ci, "event">): Promise<string> {
  return event.kind === "file"
    ? readRegularText(event.path).catch(() => "")
    : "";
}
