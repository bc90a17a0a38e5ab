import { join } from 'node:path';
import { defineConfig } from '@playwright/test';
import { findBrowser } from './scripts/browser.mjs';

const root = process.platform !== 'win32' && process.getuid?.() === 0;
const results = join(import.meta.dirname, 'node_modules', '.cache', 'mcp-inspect', 'playwright');

/** What boots the packed bin and drives a real browser. `npm test` sees to the browser; alone it uses what it finds. */
export default defineConfig({
  testDir: 'e2e',
  testMatch: '*.spec.ts',
  testIgnore: 'servers/**',
  globalSetup: './e2e/pack.ts',
  outputDir: results,
  workers: 2,
  fullyParallel: true,
  // CI machines are shared: a test that passes at a second try is named as flaky there, and no reason to stop.
  retries: process.env.CI ? 2 : 0,
  timeout: 60_000,
  expect: { timeout: 15_000 },
  forbidOnly: Boolean(process.env.CI),
  reporter: 'list',
  use: {
    trace: 'off',
    viewport: { width: 1440, height: 900 },
    launchOptions: {
      executablePath: findBrowser(),
      // Chromium refuses its sandbox to root, which is what CI containers run as.
      args: root ? ['--no-sandbox'] : [],
    },
  },
});
