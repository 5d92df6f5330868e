// Simulates the gain of a shared queue of units, and of a retry on the first free leg, over the plan's fixed jobs.
// usage: node packages/application/bench/simulate-legs.mjs timings.json   an object of seconds by package, or one with such a member `packages`
import { readFileSync } from "node:fs";
import { pack } from "../../../tools/ci-dispatch/dist/pack/pack.js";

const [file] = process.argv.slice(2);
if (file === undefined) throw new Error("name a file of timings");
const read = JSON.parse(readFileSync(file, "utf8"));
const planned = Object.values(read.packages ?? read)
  .map((entry) => (typeof entry === "number" ? entry : entry.seconds))
  .sort((a, b) => b - a);

const DRAWS = 2000;
/** In seconds: a claim through GitHub's API or a branch; a set-up; the spread of the start times of runners. */
const [CLAIM, SETUP, STARTS] = [1, 45, 20];

/** Returns a generator of numbers from 0 to 1, with the same sequence each time (mulberry32). */
function openRandom(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

const p90 = (values) =>
  values.toSorted((a, b) => a - b)[Math.ceil(values.length * 0.9) - 1];

/**
 * Simulates one run of units on machines of different speeds. Returns the times of fixed jobs, a queue, and two kinds
 * of retry.
 */
function draw(random, machines, sigma, bins) {
  const normal = () =>
    Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  const units = planned.map((seconds) => seconds * Math.exp(sigma * normal()));
  const speeds = Array.from({ length: machines }, () =>
    Math.exp(0.1 * normal()),
  );
  const starts = speeds.map(() => STARTS * random());
  const fixed = starts.map((start, machine) =>
    units.reduce(
      (end, unit, at) =>
        bins[at] === machine ? end + unit * speeds[machine] : end,
      start,
    ),
  );
  const queue = [...starts];
  for (const unit of units) {
    const free = queue.indexOf(Math.min(...queue));
    queue[free] += CLAIM + unit * speeds[free];
  }
  // Each machine is equally likely to be lost. Its job is repeated after all others, or on the first free leg.
  const lost = Math.floor(random() * machines);
  const again = fixed[lost] - starts[lost];
  const others = fixed.filter((_, machine) => machine !== lost);
  return {
    fixed: Math.max(...fixed),
    queue: Math.max(...queue),
    wave: Math.max(...fixed) + SETUP + STARTS * random() + again,
    freed: Math.max(
      ...others,
      Math.max(Math.min(...others), fixed[lost]) + again,
    ),
  };
}

console.log(
  "machines  spread  fixed P90  queue P90  won   lost: wave P90  freed P90  won",
);
for (const machines of [4, 8, 16])
  for (const sigma of [0.05, 0.15, 0.3]) {
    const random = openRandom(machines * 1000 + sigma * 100);
    const { bins } = pack(
      planned.map((seconds) => seconds * 1000),
      machines,
    );
    const draws = Array.from({ length: DRAWS }, () =>
      draw(random, machines, sigma, bins),
    );
    const of = (kind) => p90(draws.map((each) => each[kind]));
    const won = (a, b) => `${((1 - b / a) * 100).toFixed(1)} %`;
    const [fixed, queue, wave, freed] = ["fixed", "queue", "wave", "freed"].map(
      of,
    );
    console.log(
      `${String(machines).padStart(8)}  ${sigma.toFixed(2).padStart(6)}  ${fixed.toFixed(0).padStart(9)}  ${queue.toFixed(0).padStart(9)}  ${won(fixed, queue).padStart(6)}  ${wave.toFixed(0).padStart(12)}  ${freed.toFixed(0).padStart(9)}  ${won(wave, freed)}`,
    );
  }
