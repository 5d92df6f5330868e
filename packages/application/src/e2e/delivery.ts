import type { FakeRepository } from "@skein/testing";

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

/**
 * Adds pull requests, one a day up to yesterday. Each took 3 hours until its merge, including the given minutes in CI.
 */
export function fillDelivery(
  { delivery }: FakeRepository,
  count: number,
  minutes: number,
): void {
  const today = Math.floor(Date.now() / DAY) * DAY;
  const first = delivery.pulls.length;
  for (let number = first + 1; number <= first + count; number++) {
    const at = today - (number - first) * DAY;
    const head = number.toString(16).padStart(40, "a");
    const branch = `change-${number}`;
    const sha = number.toString(16).padStart(40, "b");
    delivery.pulls.push({
      number,
      branch,
      openedAt: at,
      head,
      merge: { at: at + 180 * MINUTE, sha },
    });
    const ref = `refs/heads/${branch}`;
    delivery.pushes.push({ at, ref, after: head, type: "branch_creation" });
    const job = {
      id: number,
      name: "test",
      createdAt: at,
      startedAt: at,
      completedAt: at + minutes * MINUTE,
      conclusion: "success",
    };
    delivery.runs.push({
      id: number,
      path: ".github/workflows/ci.yml",
      event: "pull_request",
      branch,
      sha: head,
      attempts: [{ startedAt: at, conclusion: "success", jobs: [job] }],
    });
  }
}
