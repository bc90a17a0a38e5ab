import { readdirSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

/** Tests of code without Node. */
const PURE = ['lib', 'components']
  .flatMap((name) => [name, `features/*/${name}`])
  .map((folder) => `${folder}/**/*.test.{ts,tsx}`);

const NODE = ['proxy', 'features', 'scripts', 'examples'];

/**
 * Tests that replace a module or an exit of the process. What they replace would stay so for the files that run after
 * them in the same process, and listeners of earlier files would call the exit.
 */
const REPLACING = NODE.flatMap((folder) =>
  readdirSync(join(import.meta.dirname, folder), { recursive: true, encoding: 'utf8' }).map(
    (name) => `${folder}/${name.replaceAll('\\', '/')}`,
  ),
).filter(
  (path) =>
    /\.test\.(?:tsx?|mjs)$/.test(path) &&
    /\bvi\.(?:do)?[mM]ock\(|spyOn\(process, 'exit'\)/.test(readFileSync(join(import.meta.dirname, path), 'utf8')),
);

/** CI machines are shared, which slows down tests that start processes. */
const retry = process.env.CI ? 2 : 0;

/**
 * How long a test or a hook may take, in ms. A limit only names what hangs. With six busy processes beside it a test
 * takes ten times as long, and the long forms take minutes.
 */
const LIMIT_MS = process.env.TEST_LONG ? 1_200_000 : 60_000;

/** Unit tests are beside the code. Tests that start the CLI or a browser are in e2e/ and run with Playwright. */
export default defineConfig({
  resolve: { alias: { '@': import.meta.dirname } },
  // As the build defines it.
  define: { MCP_INSPECT_VERSION: '"0.0.0-test"' },
  test: {
    testTimeout: LIMIT_MS,
    hookTimeout: LIMIT_MS,
    setupFiles: ['./vitest.setup.ts'],
    // Tests must not write into the developer's data folder.
    env: { MCP_INSPECT_HOME: join(import.meta.dirname, 'node_modules/.cache/mcp-inspect/test-home') },
    expect: { poll: { timeout: 30_000 } },
    // Many tests wait for processes and timers, so one worker more than cores keeps all of them busy.
    maxWorkers: availableParallelism() + 1,
    projects: [
      {
        extends: true,
        // Pure tests spend most of their time loading modules, and these keep no state. They never run again after a
        // failure: a property that fails for one random seed is a bug.
        test: { name: 'pure', include: PURE, isolate: false },
      },
      {
        extends: true,
        test: {
          name: 'node',
          include: [`{${NODE}}/**/*.test.{ts,tsx,mjs}`],
          exclude: [...PURE, ...REPLACING],
          isolate: false,
          globalSetup: ['./vitest.bundles.ts'],
          retry,
        },
      },
      {
        extends: true,
        test: { name: 'node, isolated', include: REPLACING, globalSetup: ['./vitest.bundles.ts'], retry },
      },
    ],
  },
});
