import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

/** Unit tests are beside the code. Tests that start the CLI or a browser are in e2e/ and run with Playwright. */
export default defineConfig({
  resolve: { alias: { '@': import.meta.dirname } },
  // As the build defines it.
  define: { MCP_INSPECT_VERSION: '"0.0.0-test"' },
  test: {
    testTimeout: 20_000,
    setupFiles: ['./vitest.setup.ts'],
    // Polled conditions can take long on a busy machine.
    expect: { poll: { timeout: 10_000 } },
    // Many tests wait for processes and timers, so one worker more than cores keeps all of them busy.
    maxWorkers: availableParallelism() + 1,
    projects: [
      {
        extends: true,
        // Pure tests spend most of their time loading modules, and these keep no state. They never run again after a
        // failure: a property that fails for one random seed is a bug.
        test: { name: 'pure', include: ['{lib,components}/**/*.test.{ts,tsx}'], isolate: false },
      },
      {
        extends: true,
        test: {
          name: 'node',
          include: ['{proxy,scripts,examples}/**/*.test.{ts,tsx,mjs}'],
          // CI machines are shared, which slows down tests that start processes.
          retry: process.env.CI ? 2 : 0,
        },
      },
    ],
  },
});
