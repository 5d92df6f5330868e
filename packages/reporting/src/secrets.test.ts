import { expect, test } from "@jest/globals";
import { withoutSecrets } from "./secrets.js";

test("secrets are replaced, the longest first; short values and other variables stay", () => {
  const env = {
    NPM_TOKEN: "abcdefgh",
    MY_PASSWORD: "abcdefgh-and-more",
    GH_AUTH: "short",
    HOME: "/home/somebody",
    EMPTY_SECRET: undefined,
  };
  expect(
    withoutSecrets(
      "abcdefgh-and-more abcdefgh short /home/somebody abcdefgh",
      env,
    ),
  ).toBe("*** *** short /home/somebody ***");
});
