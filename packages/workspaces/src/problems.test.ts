import { expect, test } from "@jest/globals";
import { Failure } from "@skein/reporting";
import { speaking } from "./problems.js";

/** Returns an error like the system's. */
function systemError(code: string): Error {
  return Object.assign(new Error(`${code}: so it is, open '/r/a'`), { code });
}

test("an error of the system becomes a failure; a bug is thrown unchanged", async () => {
  const told = (code: string) =>
    speaking(() => Promise.reject(systemError(code))).catch(
      (error: unknown) => error,
    );
  expect(await told("EACCES")).toEqual(new Failure("so it is, open '/r/a'"));
  expect(await told("ENOENT")).toEqual(systemError("ENOENT"));
});
