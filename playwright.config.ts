import { join } from 'node:path';
import { defineConfig } from '@playwright/test';
import { findBrowser } from './scripts/browser.mjs';

const root = process.platform !== 'win32' && process.getuid?.() === 0;
const results = join(import.meta.dirname, 'node_modules', '.cache', 'mcp-inspect', 'playwright');

/** Tests of the packed CLI in a real browser. `npm test` installs a browser; otherwise they use the one they find. */
export default defineConfig({
  testDir: 'e2e',
  testMatch: '*.spec.ts',
  testIgnore: 'servers/**',
  globalSetup: './e2e/pack.ts',
  outputDir: results,
  // Tests often wait for processes and timers, so a third worker keeps two cores busy.
  workers: 3,
  fullyParallel: true,
  // CI machines are shared, so a test that passes at the second try is only reported as flaky there.
  retries: process.env.CI ? 2 : 0,
  // A test is a story of several steps, because a page load costs more than most of them.
  timeout: 120_000,
  expect: { timeout: 15_000 },
  forbidOnly: Boolean(process.env.CI),
  reporter: 'list',
  // Bars of open requests grow, and panels slide: in tests that only costs time.
  use: { trace: 'off', viewport: { width: 1440, height: 900 }, contextOptions: { reducedMotion: 'reduce' } },
  projects: [
    {
      name: 'chromium',
      use: {
        launchOptions: {
          executablePath: findBrowser(),
          args: [
            // Chromium's sandbox does not work for root, the user of CI containers.
            ...(root ? ['--no-sandbox'] : []),
            // Two cores that are always busy gain nothing from more threads and processes: a tenth less CPU time.
            '--js-flags=--single-threaded',
            '--in-process-gpu',
            '--num-raster-threads=1',
          ],
        },
      },
    },
    {
      // The main flows, by WebDriver BiDi.
      name: 'firefox',
      grep: /@firefox/,
      use: {
        browserName: 'firefox',
        channel: 'moz-firefox',
        launchOptions: {
          executablePath: join(import.meta.dirname, 'e2e', 'firefox', 'relay.mjs'),
          // Tests may read the clipboard without a question to the user.
          firefoxUserPrefs: { 'dom.events.testing.asyncClipboard': true },
        },
      },
    },
  ],
});
