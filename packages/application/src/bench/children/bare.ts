// `node bare.js COUNT CONCURRENCY`: starts the generated workspace's test script, `node -e 0`, COUNT times, without any
// tool.
import { spawn } from "node:child_process";

const [count = 0, concurrency = 1] = process.argv.slice(2).map(Number);
let left = count;
const worker = async () => {
  while (left-- > 0)
    await new Promise((resolve) =>
      spawn("node", ["-e", "0"], { stdio: "ignore" }).on("exit", resolve),
    );
};
await Promise.all(Array.from({ length: concurrency }, worker));
