import { expect, test } from "@jest/globals";
import { Failure } from "@skein/reporting";
import { withTranslatedErrors } from "./problems.js";

/** Returns an error like the system's. */
function systemError(code: string): Error {
  return Object.assign(new Error(`${code}: so it is, open '/r/a'`), { code });
}

test("an error of the system becomes a failure; a bug is thrown unchanged", async () => {
  const reported = (code: string) =>
    withTranslatedErrors(() => Promise.reject(systemError(code))).catch(
      (error: unknown) => error,
    );
  expect(await reported("EACCES")).toEqual(
    new Failure("so it is, open '/r/a'"),
  );
  expect(await reported("ENOENT")).toEqual(systemError("ENOENT"));
});
