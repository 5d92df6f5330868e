import { digest } from "@skein/fingerprint";
import { runCli } from "@skein/reporting";
import { readTree, surveyTree } from "../fingerprints/open-tree.js";
import { affected } from "../run.js";
import type { AffectedWorld } from "../world.js";
import type { Answer, Fingerprints, Question } from "./ask.test.support.js";

// The program that `openAsker` starts. It answers each question with the tool itself.
process.on("message", (question: Question) => {
  void answer(question).then((answered) => process.send?.(answered));
});

async function answer(question: Question): Promise<Answer | Fingerprints> {
  let [stdout, stderr] = ["", ""];
  const { argv, env, cwd, stdin } = question;
  const world: AffectedWorld = {
    ...{ node: process, argv, env, cwd },
    stdin: (async function* () {
      yield await Promise.resolve(Buffer.from(stdin));
    })(),
    stdout: { write: (text) => (stdout += text) },
    stderr: { write: (text) => (stderr += text) },
    now: () => 0,
    token: () => "token",
    signal: new AbortController().signal,
  };
  if (question.kind === "fingerprints")
    return fingerprintsAt(world, question.head);
  const exitCode = await runCli("affected", world, affected);
  return { exitCode, stdout, stderr };
}

async function fingerprintsAt(
  world: AffectedWorld,
  head: string | undefined,
): Promise<Fingerprints> {
  const survey = await surveyTree(world, head);
  const { kept } = await readTree(world, survey, undefined);
  return kept.units.map(({ name, fingerprint }) => [
    name,
    fingerprint && digest([JSON.stringify({ ...fingerprint, variables: [] })]),
  ]);
}
