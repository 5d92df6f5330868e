import { expect, test } from "@jest/globals";
import { BLOB_HEADER, blobId, blobIdIn } from "./blob-id.js";

/** The ids that `git hash-object` prints. */
const IDS: readonly [content: string, length: number, id: string][] = [
  ["", 40, "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391"],
  ["hello\n", 40, "ce013625030ba8dba906f756967f9e9ca394464a"],
  ["", 64, "473a0f4c3be8a93681a267e3b1e9a7dcda1185436fe141f7749120a303721813"],
];

test.each(IDS)("%j with %i digits", (content, length, id) => {
  expect(blobId(Buffer.from(content), length)).toBe(id);
  const buffer = Buffer.alloc(BLOB_HEADER + 100, "x");
  const end = BLOB_HEADER + buffer.write(content, BLOB_HEADER);
  expect(blobIdIn(buffer, end, length)).toBe(id);
});
