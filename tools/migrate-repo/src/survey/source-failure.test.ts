import { expect, test } from "@jest/globals";
import { explainSourceError } from "./source-failure.js";
import { SourceError } from "./announcement.js";

test("a full disk isn't reported as a problem of the address", () => {
  const { message, hint } = explainSourceError(
    new SourceError("../lib", "fatal: write error: No space left on device\n"),
  );
  expect({ message, hint }).toEqual({
    message: "cannot fetch ../lib: write error: No space left on device",
    hint: "free some disk space; the workspace is as it was",
  });
});
