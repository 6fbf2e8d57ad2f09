import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { looks } from "../src/lib/looks";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test("looks at once, again after each answer, and no more when it is ended", async () => {
  const look = vi.fn(() => Promise.resolve());
  const end = looks(look, 1_000);
  await vi.advanceTimersByTimeAsync(3_500);
  expect(look).toHaveBeenCalledTimes(4);
  end();
  await vi.advanceTimersByTimeAsync(10_000);
  expect(look).toHaveBeenCalledTimes(4);
});

test("never asks twice at once", async () => {
  const look = vi.fn(() => new Promise((done) => setTimeout(done, 5_000)));
  const end = looks(look, 1_000);
  await vi.advanceTimersByTimeAsync(5_900);
  expect(look).toHaveBeenCalledTimes(1);
  end();
});

test("waits twice as long after each failure, and at its pace again after an answer", async () => {
  let works = false;
  const look = vi.fn(() => (works ? Promise.resolve() : Promise.reject(new Error("no"))));
  const end = looks(look, 1_000);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(look).toHaveBeenCalledTimes(5); // after 0, 2, 6, 14 and 30 s
  works = true;
  await vi.advanceTimersByTimeAsync(70_000);
  const before = look.mock.calls.length;
  await vi.advanceTimersByTimeAsync(5_000);
  expect(look.mock.calls.length - before).toBe(5);
  end();
});
