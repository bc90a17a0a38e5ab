import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, runBin } from './bin';
import { copiedBy } from './clipboard';
import { lowContrast } from './page-faults';
import { test } from './shared-bin';
import { telemetryRecording } from './telemetry-recording';
import { Workbench } from './workbench';

const SERVERS = join(import.meta.dirname, 'servers');
const REGISTER = join(SERVERS, 'node_modules/@opentelemetry/auto-instrumentations-node/build/src/register.js');
/** A server with the official SDK. */
const INSTRUMENTED = [process.execPath, '--import', REGISTER, join(SERVERS, 'otel-server.mjs')];
const PLAIN = [process.execPath, join(SERVERS, 'modern-server.mjs'), 'dual'];
/** The SDK sends its spans in batches, a while after the response. */
const BATCH_MS = 20_000;

/** Writes a recording to a folder, and returns its path. */
function saved(folder: string, name: string, text: string): string {
  mkdirSync(folder, { recursive: true });
  const file = join(folder, `${name}.mcpr.jsonl`);
  writeFileSync(file, text);
  return file;
}

test('spans of a real server appear inside its call, in the log, in detail and in the Telemetry panel', async ({
  open,
}) => {
  const { page } = await open(['--', ...INSTRUMENTED], { env: { OTEL_NODE_RESOURCE_DETECTORS: 'none' } });
  const bench = new Workbench(page);
  await bench.connected();
  await bench.tool('add');
  await bench.field('a').fill('1');
  await bench.field('b').fill('2');
  await bench.call();
  await expect(bench.outcome).toContainText('ok');

  // One line in the result, which unfolds to a waterfall.
  const inside = bench.result.getByRole('region', { name: 'Inside the server' });
  await bench.result.getByRole('button', { name: /^spans \d+$/ }).click({ timeout: BATCH_MS });
  const spans = inside.getByRole('listbox', { name: 'Spans of tools/call add' }).getByRole('option');
  await expect(spans.filter({ hasText: 'work' })).toHaveAttribute(
    'aria-label',
    /^work, .*after the request, .*level 2/,
  );
  await expect(spans.first()).toHaveAttribute('aria-label', /^tools\/call add, /);
  await expect(spans.nth(1)).toHaveAttribute('aria-label', /^tools\/call add, .*level 1$|slowest, level 1$/);

  // The keys choose a span and show it.
  await inside.getByRole('listbox').press('ArrowDown');
  await inside.getByRole('listbox').press('ArrowDown');
  await expect(bench.detail.getByRole('tab', { name: 'Telemetry' })).toHaveAttribute('aria-selected', 'true');
  await expect(bench.detail).toContainText('the request');
  await expect(bench.detail.getByRole('region', { name: 'Resource and scope' })).toContainText(
    'telemetry.sdk.language',
  );

  // From the span to its call, and back.
  await bench.log.getByRole('grid').focus();
  await bench.keys('o');
  await expect(bench.detail).toContainText('tools/call add');
  await expect(bench.detail.getByRole('tab', { name: 'Exchange' })).toBeVisible();
  await page.keyboard.press('O');
  await expect(bench.detail.getByRole('tab', { name: 'Telemetry' })).toBeVisible();

  await bench.filter('span:work');
  await expect(bench.rows).toHaveCount(1);
  await expect(bench.rows.first()).toContainText(/span\s*work/);
  await bench.filter('service:nobody');
  await expect(bench.rows).toHaveCount(0);
  await bench.filter('');

  await bench.panel('Spans');
  await bench.rows
    .filter({ hasText: /span\s*work/ })
    .first()
    .click();
  await expect(bench.detail.getByRole('option', { name: /^work, / })).toBeVisible();
  await bench.panel('Spans by name');
  await expect(page.getByRole('dialog', { name: 'Spans by name' }).getByRole('table')).toContainText('work');
});

test('a server without OpenTelemetry has no telemetry anywhere, and the view says how to get it', async ({ visit }) => {
  const { page } = await visit(['--', ...PLAIN]);
  const bench = new Workbench(page);
  await bench.connected();
  await bench.keys('g', 'v');
  await expect(page.getByRole('heading', { name: 'No telemetry yet' })).toBeVisible();
  await expect(page.getByText('it has set OTEL_EXPORTER_OTLP_ENDPOINT')).toBeVisible();
  await page.getByRole('button', { name: 'Python' }).click();
  const text = await copiedBy(page, () => page.getByRole('button', { name: 'Copy: Start the server with it' }).click());
  expect(text).toBe('mcp-inspect opentelemetry-instrument python server.py');
  expect(await lowContrast(page)).toEqual([]);
});

test('telemetry is in a shared page and follows the time slider, and can be left out', async ({ browser }, {
  outputDir,
}) => {
  const file = saved(outputDir, 'shared', telemetryRecording());
  const [html, without] = [join(outputDir, 'with.html'), join(outputDir, 'without.mcpr.jsonl')];
  expect((await runBin(['share', file, '--out', html])).ended).toBe(0);
  expect((await runBin(['share', file, '--out', without, '--without', 'otel'])).ended).toBe(0);
  expect(readFileSync(without, 'utf8')).not.toContain('"otel","d"');

  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  await context.setOffline(true);
  const page = await context.newPage();
  await page.goto(pathToFileURL(html).href);
  const bench = new Workbench(page);
  await bench.panel('Spans');
  await bench.filter('channel:otel "send receipt"');
  await expect(bench.rows.first()).toContainText('send receipt');
  // Before the first span, there is no telemetry yet.
  await bench.filter('method:tools/call');
  await bench.rows.first().click();
  await bench.log.getByRole('grid').focus();
  await bench.keys('x');
  await expect(bench.region('Time')).toContainText('Showing the past');
  await context.close();
});

test('ugly telemetry of a recording: by time, without parents, deep, wrong clocks, failures; a comparison by names', async ({
  open,
}, { outputDir }) => {
  const before = saved(outputDir, 'before', telemetryRecording());
  const after = saved(outputDir, 'after', telemetryRecording({ id: 'slow', slower: 5 }));
  const { page } = await open(['open', before, after]);
  const bench = new Workbench(page);
  await expect(bench.region('About this recording')).toContainText('after.mcpr.jsonl');
  await bench.command('Compare with…');
  await page.getByRole('list', { name: 'Connections to compare with' }).getByRole('button').first().click();
  const region = page.getByRole('region', { name: 'Inside the server' });
  const row = region.getByRole('row', { name: /POST \/v1\/charges/ });
  await expect(row).toContainText('1.90 s → 380 ms5.0× faster');
  await bench.button('Swap sides').click();
  await expect(row).toContainText('380 ms → 1.90 s5.0× slower');

  const other = (await bench.openRecordings())
    .getByRole('listitem')
    .filter({ hasNot: page.locator('[aria-current=true]') });
  await other.getByRole('button').first().click();
  await bench.closeServers();
  await bench.panel('Spans');
  const inside = bench.detail;
  /** Chooses a span. Its tab has all spans of its call. */
  const openSpan = async (name: string) => {
    await bench.filter(`channel:otel "${name}"`);
    await bench.rows.first().click();
  };

  await openSpan('GET');
  await expect(inside.getByRole('listbox')).toContainText('GET https://catalogue.example.com');
  await expect(inside.getByText('201 spans').last()).toBeVisible();
  await openSpan('orphan 3');
  await expect(inside.getByRole('option', { name: /^orphan 3, .*no parent/ })).toBeVisible();
  await expect(inside.getByText('No parent: the span above it has not arrived.')).toBeVisible();
  await openSpan('send receipt');
  await expect(inside.getByRole('option', { name: /^db\.query, SELECT \* FROM carts, / })).toBeVisible();
  await inside.getByRole('option', { name: /^send receipt, .*failed: SMTP/ }).click();
  await expect(bench.detail).toContainText('at Mailer.send');
  await expect(bench.detail.getByRole('region', { name: 'Links' })).toContainText('POST /v1/charges');
  await openSpan('GET /health');
  await expect(inside.getByRole('option', { name: /by time/ })).toBeVisible();
  await openSpan('handle');
  await expect(inside.getByText(/The clock of shop is 5\.20 s behind/)).toBeVisible();
  for (const scheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme: scheme });
    expect(await lowContrast(page)).toEqual([]);
  }

  await bench.panel('Server logs beside all messages');
  const records = page.getByRole('listbox', { name: 'Log messages' }).getByRole('option');
  await expect(records).toHaveCount(2);
  await expect(records.first()).toContainText(/warning\s*shop\s*SMTP is slow.*tools\/call checkout/);
});
