import { expect, test } from "@jest/globals";
import { wholeFetch } from "./whole-fetch.js";

const bytes = (text: string) => Uint8Array.from(Buffer.from(text)).buffer;

test.each<[string, string, unknown]>([
  ["application/json; charset=utf-8", '{"a":["é"]}', { a: ["é"] }],
  ["application/scim+json", "[1]", [1]],
  ["text/plain", "[1]", "[1]"],
  ["application/vnd.github.raw+json; charset=utf-8", "[1]", "[1]"],
  ["application/zip", "[1]", bytes("[1]")],
  ["application/octet-stream; charset=utf-8", "[1]", bytes("[1]")],
])("the data of a response with the type %s", async (type, text, data) => {
  const url = `data:${type},${encodeURIComponent(text)}`;
  const answer = await wholeFetch(1000)(url, {});
  expect(answer.body).toEqual(data);
});

test("data is a new object each time", async () => {
  const answer = await wholeFetch(1000)("data:application/json,[1]", {});
  (answer.body as number[]).push(2);
  expect(answer.body).toEqual([1]);
});
