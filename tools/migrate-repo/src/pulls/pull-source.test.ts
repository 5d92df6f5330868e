import { expect, test } from "@jest/globals";
import { pullSourceOf } from "./pull-source.js";

const acme = { owner: "acme", name: "lib" };
const dotCom = "https://api.github.com";

test.each([
  [undefined, "https://github.com/acme/lib.git", undefined, dotCom],
  [undefined, "git@github.com:acme/lib.git", "", dotCom],
  ["acme/lib", "/src/lib", undefined, dotCom],
  [
    "acme/lib",
    "/src/lib",
    "https://ghe.corp/api/v3/",
    "https://ghe.corp/api/v3",
  ],
  [
    undefined,
    "https://ghe.corp/acme/lib",
    "https://ghe.corp/api/v3",
    "https://ghe.corp/api/v3",
  ],
])("%j, %s with GITHUB_API_URL=%s is on %s", (github, from, api, baseUrl) => {
  expect(pullSourceOf(github, from, { GITHUB_API_URL: api })).toEqual({
    repository: acme,
    baseUrl,
  });
});

test.each([
  [
    "GitHub's token isn't sent to another host",
    undefined,
    "https://evil.example/acme/lib",
    undefined,
  ],
  [
    "an Enterprise Server's token isn't sent to github.com",
    undefined,
    "https://github.com/acme/lib",
    "https://ghe.corp/api/v3",
  ],
  ["a folder says nothing", undefined, "/src/acme/lib", undefined],
  ["a name that is none", "acme/../lib", "/src/lib", undefined],
])("%s", (_, github, from, api) => {
  expect(pullSourceOf(github, from, { GITHUB_API_URL: api })).toBeUndefined();
});
