import { expect, test } from "@jest/globals";
import { seal, unseal } from "./seal.js";

const body = Buffer.from('{"passed":true}\n');
const opened = (name: string, bytes: Buffer, key?: string) => {
  const result = unseal(name, bytes, key);
  return result.kind === "open" ? result.body.toString() : result.kind;
};

test.each([undefined, "key"])("with the key %j", (key) => {
  const bytes = seal("name", body, key);
  const lie = key === undefined ? "damaged" : "unproven";
  expect(opened("name", bytes, key)).toBe(body.toString());
  expect(opened("other", bytes, key)).toBe(lie);
  for (const at of [bytes.length - 1, bytes.length - body.length, 40]) {
    const broken = Buffer.from(bytes);
    broken[at] = (broken[at] ?? 0) ^ 1;
    expect(opened("name", broken, key)).toBe(lie);
  }
  for (const end of [0, 10, 90, bytes.length - 1])
    expect(opened("name", bytes.subarray(0, end), key)).toMatch(
      /^(damaged|unproven)$/,
    );
  expect(opened("name", Buffer.concat([bytes, body]), key)).toBe(lie);
});

test("a seal is invalid without its key", () => {
  expect(opened("name", seal("name", body, undefined), "key")).toBe("unproven");
  expect(opened("name", seal("name", body, "other"), "key")).toBe("unproven");
  expect(opened("name", seal("name", body, "key"))).toBe("unproven");
});
