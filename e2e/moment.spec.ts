import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect } from './bin';
import { faults } from './page-faults';
import { test } from './shared-bin';
import { Workbench } from './workbench';

const SERVER = join(import.meta.dirname, 'servers/failing-server.py');
const hasPython = spawnSync('python3', ['--version']).status === 0;
/** The place where the server's tool fails. */
const PLACE = /failing-server\.py:\d+/;

test.skip(!hasPython, 'needs python3');

test('a failed call leads with the exception, its place, and all that happened meanwhile', async ({ visit }) => {
  const { page } = await visit(['--protocol', '2025-11-25', '--', 'python3', SERVER]);
  const bench = new Workbench(page);
  await bench.connected();
  await bench.tool('read_temperature');
  await bench.field('city').fill('bergen');
  await bench.call();
  await expect(bench.outcome).toHaveText('× isError');
  const cause = bench.result.getByRole('paragraph').filter({ hasText: PLACE });
  await expect(cause).toHaveText(/^KeyError: 'temp' ?failing-server\.py:\d+ ?stderr #\d+$/);

  const fold = (name: RegExp) => bench.result.getByRole('button', { name });
  await expect(fold(/^stderr \d+ lines$/)).toHaveAttribute('aria-expanded', 'true');
  await expect(fold(/^server log 1$/)).toHaveAttribute('aria-expanded', 'true');
  const lines = bench.result.getByRole('group', { name: 'Lines on stderr' });
  await expect(lines).toContainText('Traceback (most recent call last):');
  await expect(bench.result.getByRole('group', { name: 'Log messages' })).toContainText('read_temperature failed');
  for (const scheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme: scheme });
    expect(await faults(page)).toEqual([]);
  }

  // Each link leads to its frame.
  await cause.getByRole('button').click();
  await expect(bench.detail).toContainText("KeyError: 'temp'");
  await lines
    .getByRole('button', { name: /^stderr #/ })
    .first()
    .click();
  await expect(bench.detail).toContainText('reading bergen');
  await bench.result.getByRole('button', { name: /^log message #/ }).click();
  await expect(bench.detail).toContainText('notifications/message');

  // A good result has it folded.
  await bench.field('city').fill('oslo');
  await bench.call();
  await expect(bench.outcome).toHaveText('✓ ok');
  await expect(cause).toBeHidden();
  await expect(fold(/^stderr 1 line$/)).toHaveAttribute('aria-expanded', 'false');
  await fold(/^stderr 1 line$/).click();
  await expect(lines).toContainText('reading oslo');

  // A call that is chosen in the log is shown, until the newest one is wanted.
  await bench.rows.filter({ hasText: /tools\/call.*bergen/ }).click();
  await expect(cause).toBeVisible();
  await lines
    .getByRole('button', { name: /^stderr #/ })
    .first()
    .click();
  await expect(cause).toBeVisible();
  await bench.button('Show the newest call').click();
  await expect(bench.outcome).toHaveText('✓ ok');
  await bench.rows.filter({ hasText: /tools\/call.*bergen/ }).click();
  await expect(cause).toBeVisible();
  await bench.call();
  await expect(bench.outcome).toHaveText('✓ ok');
});

test('an error of another call is not claimed', async ({ visit }) => {
  const { page } = await visit(['--protocol', '2025-11-25', '--', 'python3', SERVER]);
  const bench = new Workbench(page);
  await bench.connected();
  await bench.tool('wait_for_reading');
  await bench.field('city').fill('oslo');
  await bench.call();
  await bench.tool('read_temperature');
  await bench.field('city').fill('bergen');
  await bench.call();
  await expect(bench.outcome).toHaveText('× isError');
  await expect(bench.result).toContainText('Other requests were in flight, so some lines may be about those.');
  await bench.tool('wait_for_reading');
  await expect(bench.outcome).toHaveText('× error −32000');
  await expect(bench.result.getByRole('paragraph').filter({ hasText: PLACE })).toHaveText(
    /^On stderr during this call: KeyError: 'temp'.* Other requests were in flight, so it may be about one of them\.$/,
  );
});
