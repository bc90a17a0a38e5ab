import { join } from 'node:path';
import type { Locator, Page } from '@playwright/test';
import { expect } from './bin';
import { accessFaults } from './page-faults';
import { test } from './shared-bin';
import { Workbench } from './workbench';

const SERVER = [process.execPath, join(import.meta.dirname, 'servers/documents-server.mjs')];

async function connect(open: (words: string[]) => Promise<{ page: Page }>) {
  const { page } = await open(['--protocol', '2025-11-25', '--', ...SERVER]);
  const bench = new Workbench(page);
  await bench.connected();
  await bench.panel('Resources');
  const read = async (name: string) => {
    await bench.choose(name);
    await expect(bench.outcome).toHaveText('✓ ok');
  };
  const judge = async (name: string) => expect(await accessFaults(page), name).toEqual([]);
  return { page, bench, read, judge };
}

/** Returns the length of a paragraph's longest line, measured by where its characters are. Runs in the page. */
function longestLine(start: Element): number {
  const paragraph = start.closest('p')!;
  const lines = new Map<number, number>();
  const walker = document.createTreeWalker(paragraph, NodeFilter.SHOW_TEXT);
  const range = document.createRange();
  while (walker.nextNode()) {
    const node = walker.currentNode as Text;
    for (let at = 0; at < node.length; at++) {
      range.setStart(node, at);
      range.setEnd(node, at + 1);
      const line = Math.round(range.getBoundingClientRect().bottom / 10);
      lines.set(line, (lines.get(line) ?? 0) + 1);
    }
  }
  return Math.max(...lines.values());
}

test('Markdown is laid out to be read, code is highlighted, CSV is a table, PDF is drawn page by page', async ({
  visit,
}) => {
  test.slow();
  const { page, bench, read, judge } = await connect(visit);
  await read('README.md');
  const size = (name: string) =>
    bench.result.getByRole('heading', { name, exact: true }).evaluate((heading) => getComputedStyle(heading).fontSize);
  expect([await size('Skerry Light'), await size('Duties'), await size('Tide table')]).toEqual([
    '18px',
    '15px',
    '13px',
  ]);
  await expect(bench.result.getByRole('cell', { name: '12:55' })).toBeVisible();

  const longest = await bench.result.getByText('A tower on a rock').evaluate(longestLine);
  expect(longest).toBeGreaterThan(60);
  expect(longest).toBeLessThan(78);

  const code = bench.result.locator('pre code');
  const colourOf = (part: Locator) => part.evaluate((element) => getComputedStyle(element).color);
  const keyword = code.locator('span', { hasText: /^\s*def\s*$/ });
  await expect.poll(() => colourOf(keyword)).not.toBe(await colourOf(code));
  await judge('README.md');

  const { result } = bench;
  await read('keeper.py');
  await expect(result.locator('pre span', { hasText: /^\s*class\s*$/ })).toBeVisible();
  await expect(result.locator('pre')).toContainText('return json.dumps({"name": self.name, "watch": None})');
  await judge('keeper.py');

  await read('ships.csv');
  await expect(result.getByRole('columnheader')).toHaveText(['ship', 'flag', 'last seen']);
  await expect(result.getByRole('row')).toHaveCount(101);
  await judge('ships.csv');
  await result.getByRole('button', { name: 'Show more rows' }).click();
  await expect(result.getByRole('row')).toHaveCount(201);
  await result.getByRole('button', { name: 'Text', exact: true }).click();
  await expect(result).toContainText('ship,flag,"last seen"');
  await read('ships-as-bytes.csv');
  await expect(result.getByRole('cell', { name: 'Tern 0' })).toBeVisible();

  await read('log.pdf');
  const sheet = result.getByRole('img', { name: 'Page 1 of the PDF' });
  /** Returns whether the page has dark pixels, that is, text. */
  const isDrawn = async () => (await sheet.screenshot()).length > 2000;
  await expect.poll(isDrawn, { timeout: 30_000 }).toBe(true);
  await expect(result).toContainText('Page 1 of 2');
  await judge('log.pdf');
  await result.getByRole('button', { name: 'Next' }).click();
  await expect(result.getByRole('img', { name: 'Page 2 of the PDF' })).toBeVisible();
  const download = page.waitForEvent('download');
  await result.getByRole('button', { name: 'Download' }).click();
  expect((await download).suggestedFilename()).toBe('log.pdf');
  await read('broken.pdf');
  await judge('broken.pdf');
});

test('attack: hostile documents run nothing, reach nothing and block nothing', async ({ open, page }) => {
  const alarms: string[] = [];
  page.on('request', (request) => {
    const url = request.url();
    if (!/^(http:\/\/127\.0\.0\.1:\d+\/|data:|blob:)/.test(url) || url.includes('beacon')) alarms.push(url);
  });
  page.on('dialog', (dialog) => void alarms.push(dialog.message()));
  page.on('pageerror', (error) => void alarms.push(error.message));
  page.on('console', (message) => message.type() === 'error' && alarms.push(message.text()));
  const { bench, read } = await connect(open);
  const { result } = bench;

  await read('log.pdf');
  await expect(result.getByRole('img', { name: 'Page 1 of the PDF' })).toBeVisible();
  await read('broken.pdf');
  await expect(result).toContainText('This is not a PDF that can be read.');
  await read('chart.svg');
  await expect(result.getByRole('img', { name: /^image\/svg/ })).toBeVisible();
  await read('huge.png');
  await expect(result).toContainText('20,000 × 20,000 px: too large to show');
  await expect(result.getByRole('img')).toHaveCount(0);
  await read('page.html');
  await expect(result).toContainText('<h1>Page</h1><script>');

  // Only one of the seven icons is drawn: the svg, as a picture.
  const icons = page.getByRole('group').filter({ hasText: 'icons (7)' });
  await icons.getByText('icons (7)').click();
  const facts = icons.getByRole('listitem');
  await expect(facts).toHaveText([
    /^javascript:.* rejected: only https: and data: are allowed$/,
    /^file:.* rejected/,
    /^http:.* rejected/,
    /^https:.* not loaded: the page makes no requests to other hosts$/,
    /^data:image\/png.* too large to show: 20,000 × 20,000 px$/,
    /^data:image\/svg.* shown as image\/svg\+xml$/,
    /^data:image\/png.* not an image$/,
  ]);

  // A tokenizer that takes seconds for this text runs in a worker, and is stopped.
  await read('slow.css');
  await expect(result.locator('pre')).toContainText('-----');
  await read('keeper.py');
  await expect(result.locator('pre span', { hasText: /^\s*class\s*$/ })).toBeVisible();

  await read('open-quote.csv');
  await expect(result.getByRole('row')).toHaveCount(2);
  await read('wide.csv');
  await expect(result.getByRole('columnheader')).toHaveCount(50);
  await expect(result).toContainText('4,951 more columns under Text');
  await read('deep.md');
  await expect(result).toContainText('> > > >');

  await expect(page).toHaveTitle('mcp-inspect');
  expect(alarms).toEqual([]);
});
