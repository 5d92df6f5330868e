import { spawn } from "node:child_process";
import { platform } from "node:os";
import { ExitCode, Failure } from "@skein/reporting";

type Env = Readonly<Record<string, string | undefined>>;

/** The program of each system that opens a file as a double click does. */
const OPENERS: Readonly<Partial<Record<NodeJS.Platform, readonly string[]>>> = {
  darwin: ["open"],
  win32: ["explorer.exe"],
};

/**
 * Opens a file in the user's browser, and doesn't wait for it.
 * @param env its variable BROWSER names another program
 * @throws Failure if the program doesn't start
 */
export async function openFile(env: Env, file: string): Promise<void> {
  const { BROWSER = "" } = env;
  const [program = "xdg-open"] =
    BROWSER === "" ? (OPENERS[platform()] ?? []) : [BROWSER];
  const child = spawn(program, [file], { detached: true, stdio: "ignore" });
  await new Promise<void>((resolve, reject) => {
    child.once("spawn", resolve).once("error", (cause) => {
      reject(
        new Failure(`${program} does not start`, {
          exitCode: ExitCode.Unfinished,
          hint: `open ${file} yourself, or name a program in BROWSER`,
          cause,
        }),
      );
    });
  });
  child.unref();
}
