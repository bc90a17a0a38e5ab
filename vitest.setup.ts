import { vi } from 'vitest';

/** Limit for polled conditions, in ms. They can take long on a busy machine. */
const PATIENCE_MS = 10_000;

// Vitest's own limit for these is 1 s, and no option changes it. Without isolation this file runs once per test file.
if (vi.waitFor.name !== 'waitForPatiently') {
  const { waitFor, waitUntil } = vi;
  vi.waitFor = function waitForPatiently(callback, options) {
    return waitFor(callback, patient(options));
  };
  vi.waitUntil = function waitUntilPatiently(callback, options) {
    return waitUntil(callback, patient(options));
  };
}

function patient<Options extends { timeout?: number }>(options: number | Options | undefined) {
  return typeof options === 'number' ? options : { timeout: PATIENCE_MS, ...options };
}
