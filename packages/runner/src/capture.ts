import { createWriteStream, type WriteStream } from "node:fs";
import type { Readable } from "node:stream";
import { StringDecoder } from "node:string_decoder";
import type { UnitOutput } from "./unit.js";

export interface CaptureOptions {
  /** The maximum number of bytes in memory. Longer output goes to the file. */
  readonly cap: number;
  /** The file for the whole output, if it is longer than the cap. */
  readonly file: string;
  /** Receives new output, in whole characters. */
  readonly onText?: (text: string) => void;
}

/** A capture of a unit's output while it runs. */
export interface Capture {
  /** Reads a stream from now on. The stream pauses while the file is slow. */
  take(stream: Readable): void;
  /** Returns the output. Must be called once, at the end. */
  finish(): Promise<UnitOutput>;
}

/** Opens a capture that holds at most the cap (and one chunk) in memory, however long the output is. */
export function openCapture({ cap, file, onText }: CaptureOptions): Capture {
  const decoder = new StringDecoder("utf8");
  let bytes = 0;
  let head: Buffer[] = [];
  const tail: Buffer[] = [];
  let tailBytes = 0;
  let spill: WriteStream | undefined;
  const half = Math.floor(cap / 2);

  const paused = new Set<Readable>();
  const resume = () => {
    for (const stream of paused) stream.resume();
    paused.clear();
  };
  const startSpill = () => {
    const whole = Buffer.concat(head);
    spill = createWriteStream(file, { mode: 0o600 });
    // A full disk must not end the run. The beginning and the end of the output are still in memory.
    spill.on("error", resume).on("drain", resume);
    spill.write(whole);
    head = [whole.subarray(0, half)];
    keepEnd(whole.subarray(half));
  };
  const keepEnd = (chunk: Buffer) => {
    tail.push(chunk);
    tailBytes += chunk.length;
    for (
      let first = tail[0];
      first !== undefined && tailBytes - first.length >= half;
      first = tail[0]
    ) {
      tail.shift();
      tailBytes -= first.length;
    }
  };
  const take = (chunk: Buffer): boolean => {
    bytes += chunk.length;
    onText?.(decoder.write(chunk));
    if (spill === undefined) {
      head.push(chunk);
      if (bytes > cap) startSpill();
      return true;
    }
    keepEnd(chunk);
    return spill.write(chunk) || spill.errored !== null;
  };
  return {
    take(stream) {
      stream.on("data", (chunk: Buffer) => {
        if (take(chunk)) return;
        stream.pause();
        paused.add(stream);
      });
      stream.on("error", () => undefined); // The writer was killed. The output so far is kept.
    },
    async finish() {
      const rest = decoder.end();
      if (rest !== "") onText?.(rest);
      if (spill === undefined)
        return { text: Buffer.concat(head).toString("utf8"), bytes };
      const stream = spill;
      await new Promise<void>((resolve) => {
        if (stream.errored) resolve();
        else stream.once("error", () => resolve()).end(resolve);
      });
      const start = wholeCharacters(head[0] ?? Buffer.alloc(0));
      const end = afterBrokenCharacter(Buffer.concat(tail).subarray(-half));
      const left = bytes - start.length - end.length;
      return {
        text: `${start.toString("utf8")}\n… ${left} bytes are omitted here …\n${end.toString("utf8")}`,
        bytes,
        ...(stream.errored === null && { file }),
      };
    },
  };
}

/** Removes a last character whose final bytes were cut off. */
function wholeCharacters(bytes: Buffer): Buffer {
  for (let back = 1; back <= Math.min(4, bytes.length); back++) {
    const byte = bytes[bytes.length - back] ?? 0;
    if ((byte & 0xc0) === 0x80) continue; // This is a continuation byte; the first byte is further left.
    const length = byte < 0x80 ? 1 : byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4;
    return length > back ? bytes.subarray(0, bytes.length - back) : bytes;
  }
  return bytes;
}

/** Removes the last bytes of a first character whose first byte was cut off. */
function afterBrokenCharacter(bytes: Buffer): Buffer {
  let start = 0;
  while (start < 3 && ((bytes[start] ?? 0) & 0xc0) === 0x80) start++;
  return bytes.subarray(start);
}
