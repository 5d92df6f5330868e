import { expect, test } from "@jest/globals";
import { judgeBack, type FileFacts } from "./judge-back.js";

/** Each row: the index's entry before, after and now; the file in the working tree; whose index it is; the result. */
const ROWS = `
  a new file, index as before                     | - B - | new   | theirs | remove
  a new file, index ours                          | - B B | new   | ours   | remove
  a new file that the user staged                 | - B B | new   | theirs | taken-over
  a new file, staged with other content           | - B C | new   | ours   | taken-over
  a new file, edited                              | - B - | other | theirs | edited
  a new file, edited, index ours                  | - B B | other | ours   | edited
  a new file, edited and staged                   | - B C | other | ours   | taken-over
  a new file that is gone                         | - B B | gone  | ours   | done
  a replaced file                                 | A B A | new   | theirs | restore
  a replaced file, index ours                     | A B B | new   | ours   | restore
  a replaced file that the user committed         | A B B | new   | theirs | taken-over
  a replaced file that is old again               | A B A | old   | theirs | done
  a replaced file, edited                         | A B A | other | theirs | edited
  a replaced file that is gone                    | A B A | gone  | theirs | restore
  a replaced file whose removal the user staged   | A B - | gone  | theirs | done
  a removed file                                  | A - A | gone  | theirs | restore
  a removed file, index ours                      | A - - | gone  | ours   | restore
  a removed file whose removal the user committed | A - - | gone  | theirs | done
  a removed file that the user wrote again        | A - A | other | theirs | edited
`;

const entryOf = (name = "-") =>
  name === "-" ? undefined : `100644 ${name.toLowerCase()} 0`;

test.each(
  ROWS.trim()
    .split("\n")
    .map((row) => row.split("|").map((cell) => cell.trim())),
)("%s: %s, %s, %s: %s", (_, entries = "", file, whose, back) => {
  const [old, after, now] = entries.split(" ").map(entryOf);
  const facts = { old, new: after, now, file: file as FileFacts["file"] };
  expect(judgeBack(facts, whose === "ours")).toBe(back);
});
