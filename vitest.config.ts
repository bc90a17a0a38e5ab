import { defineConfig } from 'vitest/config';

/** Unit tests stand beside the code; what boots the bin or a browser is under e2e/ and runs with Playwright. */
export default defineConfig({
  resolve: { alias: { '@': import.meta.dirname } },
  test: {
    include: ['{lib,proxy,components,scripts,examples}/**/*.test.{ts,tsx,mjs}'],
    testTimeout: 20_000,
    // Tests that start processes share CI's machine with others.
    retry: process.env.CI ? 2 : 0,
  },
});
