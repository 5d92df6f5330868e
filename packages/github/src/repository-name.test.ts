import { describe, expect, test } from "@jest/globals";
import {
  apiUrlOf,
  parsePullRequest,
  parseRemoteUrl,
  parseRepository,
} from "./repository-name.js";

const app = { owner: "octo", name: "app" };

describe("remote URLs", () => {
  test.each([
    ["https://github.com/octo/app.git", "github.com"],
    ["https://github.com/octo/app", "github.com"],
    ["https://github.com/octo/app/", "github.com"],
    ["https://user:ghp_secret@github.com/octo/app.git", "github.com"],
    ["https://x-access-token:ghs_secret@GitHub.com/octo/app", "github.com"],
    ["git@github.com:octo/app.git", "github.com"],
    ["github.com:octo/app", "github.com"],
    ["ssh://git@github.com/octo/app.git", "github.com"],
    ["ssh://git@ssh.github.com:443/octo/app.git", "github.com"],
    ["git://github.com/octo/app.git", "github.com"],
    ["ssh://git@ghe.example.com:2222/octo/app.git", "ghe.example.com"],
    ["https://ghe.example.com:8443/octo/app.git", "ghe.example.com:8443"],
    ["org-123@ghe.example.com:octo/app.git", "ghe.example.com"],
  ])("%s", (url, host) => {
    expect(parseRemoteUrl(url)).toEqual({ host, repository: app });
  });

  test.each([
    "/srv/git/app.git",
    "../octo/app",
    "C:\\octo\\app",
    "C:/octo/app",
    "file:///octo/app",
    "https://github.com/octo",
    "https://github.com/octo/app/tree/main",
    "https://github.com/octo/..",
    "ext::sh -c 'x'",
    "",
  ])("%s isn't a repository of GitHub", (url) => {
    expect(parseRemoteUrl(url)).toBeUndefined();
  });
});

test.each([
  ["octo/app#7", { repository: app, number: 7 }],
  ["https://github.com/octo/app/pull/7", { repository: app, number: 7 }],
  [
    "https://ghe.example.com/octo/app/pull/7/files?w=1",
    { repository: app, number: 7 },
  ],
  ["octo/app", undefined],
  ["octo/app#0", undefined],
  ["octo/..#1", undefined],
  ["#7", undefined],
  ["octo/app#7#8", undefined],
])("pull request %s", (text, expected) => {
  expect(parsePullRequest(text)).toEqual(expected);
});

test.each([
  "octo",
  "octo/app/x",
  "-octo/app",
  "octo/a b",
  "octo/.",
  "octo/..",
  "oc to/app",
  "octo/app?x",
])("%s isn't a repository's name", (text) => {
  expect(parseRepository(text)).toBeUndefined();
});

test.each([
  ["github.com", "https://api.github.com"],
  ["acme.ghe.com", "https://api.acme.ghe.com"],
  ["ghe.example.com:8443", "https://ghe.example.com:8443/api/v3"],
])("the API of %s", (host, url) => {
  expect(apiUrlOf(host)).toBe(url);
});
