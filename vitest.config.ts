import { defineConfig } from 'vitest/config';

/** Unit tests stand beside the code; what boots the bin or a browser is under e2e/ and runs with Playwright. */
export default defineConfig({
  resolve: { alias: { '@': import.meta.dirname } },
  test: {
    testTimeout: 20_000,
    // What is waited for may take its turns on a busy machine.
    expect: { poll: { timeout: 10_000 } },
    // Tests that start processes share CI's machine with others.
    retry: process.env.CI ? 2 : 0,
    // Many tests wait for processes: every core has one to run meanwhile.
    maxWorkers: '100%',
    projects: [
      {
        extends: true,
        // Most of the time of a pure test is the loading of its modules, which keep no state of their own.
        test: { name: 'pure', include: ['{lib,components}/**/*.test.{ts,tsx}'], isolate: false },
      },
      {
        extends: true,
        test: { name: 'node', include: ['{proxy,scripts,examples}/**/*.test.{ts,tsx,mjs}'] },
      },
    ],
  },
});
