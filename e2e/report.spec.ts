import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Page } from '@playwright/test';
import { demoCommand, expect, packageFolder, runBin, test } from './bin';
import { accessFaults } from './page-faults';
import { tapSession } from './tapped-sessions';

/** Taps sessions of two hosts with three real servers. */
async function tapSessions(): Promise<void> {
  const [bin, home] = [join(packageFolder(), 'dist/cli.js'), test.info().outputPath('home')];
  const person = { entities: [{ name: 'Ada', entityType: 'person', observations: ['wrote programs'] }] };
  await tapSession(bin, home, {
    host: 'claude-code',
    server: 'everything',
    calls: [
      ['echo', { message: 'hi' }, 12],
      ['trigger-long-running-operation', { duration: 1, steps: 2 }, 1],
      ['no-such-tool', {}, 2],
    ],
  });
  await tapSession(bin, home, {
    host: 'cursor',
    server: 'filesystem',
    calls: [
      ['list_directory', { path: 'FOLDER' }, 10],
      ['read_text_file', { path: '/nowhere' }, 3],
    ],
  });
  await tapSession(bin, home, {
    host: 'claude-code',
    server: 'memory',
    calls: [
      ['create_entities', person, 3],
      ['read_graph', {}, 9],
    ],
  });
}

test('a report: none while the only recording is written; its rows lead to them; as HTML it needs no script and asks for nothing', async ({
  open,
}) => {
  test.slow();
  const { page } = await open(['--', ...demoCommand()]);
  await page.getByRole('button', { name: 'Recordings' }).click();
  await page.getByRole('tab', { name: 'Report' }).click();
  await expect(page).toHaveURL(/source=report/);
  await expect(page.getByText('No finished recordings yet')).toBeVisible();
  await expect(page.getByText(/^1 recording is still being written/)).toBeVisible();
  await expect(page.getByText('Connect to a server')).toBeHidden();
  await tapSessions();
  await page.reload();
  await expect(page.getByText(/^3 recordings of 3 servers, \d+ requests/)).toBeVisible();
  const slowest = page.getByRole('table', { name: 'Slowest tools' });
  await expect(slowest.getByRole('row', { name: /list_directory/ })).toContainText('secure-filesystem-server');
  const never = page.getByRole('table', { name: 'Tools that hosts never call' });
  await expect(never.getByRole('row', { name: /write_file .* cursor 1 95% 0/ })).toBeVisible();
  const rates = page.getByRole('table', { name: 'Error rates by server version' });
  const failing = rates.getByRole('row', { name: /secure-filesystem-server/ });
  await expect(failing).toContainText('read_text_file: tool error');
  await expect(page.getByRole('region', { name: 'Regressions' })).toContainText(
    'No server has recordings of two versions',
  );
  expect(await accessFaults(page)).toEqual([]);
  await page.getByLabel('Recorded').selectOption('Last day');
  await expect(page.getByText(/^3 recordings of 3 servers/)).toBeVisible();
  await page.getByLabel('Compare two commits, versions or tags').fill('1.0.0..2.0.0');
  await expect(page.getByText('No server has recordings of both 1.0.0 and 2.0.0')).toBeVisible();
  await failing.getByRole('button', { name: /Open one of 1 recording/ }).click();
  await page.getByRole('menuitem', { name: /first such error #\d+/ }).click();
  // The recording is open at the call that failed.
  await expect(page).toHaveURL(/frame=\d+/);
  await expect(page.getByRole('row', { name: /tools\/call.*read_text_file/, selected: true })).toBeVisible();

  await judgeHtmlReport(page);
});

/** Writes the report of these recordings as HTML, and opens it. */
async function judgeHtmlReport(page: Page): Promise<void> {
  const out = test.info().outputPath('report.html');
  const { ended, stderr } = await runBin(['report', '--out', out]);
  expect([ended, stderr]).toEqual([0, expect.stringContaining('report.html')]);
  expect(readFileSync(out, 'utf8')).not.toContain('<script');
  const requests: string[] = [];
  page.on('request', (request) => requests.push(request.url()));
  const violations: string[] = [];
  page.on('console', (message) => violations.push(message.text()));
  await page.goto(pathToFileURL(out).href);
  await expect(page.getByRole('heading', { name: 'Report on 3 recordings' })).toBeVisible();
  const row = page.getByRole('row', { name: /secure-filesystem-server .*read_text_file: tool error/ });
  await row.getByText('1 recording').click();
  await expect(row.getByText(/\.mcpr\.jsonl/)).toBeVisible();
  expect(await accessFaults(page)).toEqual([]);
  expect([requests, violations]).toEqual([[pathToFileURL(out).href], []]);
}
