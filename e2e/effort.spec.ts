import { join } from 'node:path';
import type { Locator, Page } from '@playwright/test';
import { demoCommand, expect } from './bin';
import { serversInstalled, test } from './http-servers';
import { Workbench } from './workbench';

const EVERYTHING = join(
  import.meta.dirname,
  'servers/node_modules/@modelcontextprotocol/server-everything/dist/index.js',
);

/** Counts what a hand does: presses of the mouse button, and choices in a list. Looking costs nothing. */
class Hand {
  readonly page: Page;
  count = 0;

  constructor(page: Page) {
    this.page = page;
  }

  async click(target: Locator): Promise<void> {
    this.count++;
    await target.click();
  }

  /** Presses the button of a menu, goes to an entry, and releases. */
  async drag(menu: Locator, entry: Locator): Promise<void> {
    this.count++;
    await menu.hover();
    await this.page.mouse.down();
    const box = (await menu.boundingBox())!;
    await this.page.mouse.move(box.x + box.width / 2, box.y - 4);
    await this.page.mouse.move(box.x + box.width / 2, box.y + box.height + 4);
    await entry.hover();
    await this.page.mouse.up();
    await expect(this.page.getByRole('menu')).toHaveCount(0);
  }

  async select(list: Locator, value: string): Promise<void> {
    this.count++;
    await list.selectOption(value);
  }
}

const entry = ({ page }: Hand, name: string | RegExp) => page.locator('[role^=menuitem]').filter({ hasText: name });

/** An action, and the most presses and keys that it may take: as many as when each view was a panel of its own. */
type Action = readonly [name: string, most: number, act: (hand: Hand, bench: Workbench) => Promise<void>];

/** Actions with server-everything, in this order. docs/effort.md compares the counts. */
const ACTIONS: readonly Action[] = [
  [
    'example values',
    2,
    async (hand, bench) => {
      await hand.drag(bench.button('Fill'), entry(hand, 'Sample: required'));
      await expect(bench.field('message')).not.toHaveValue('');
    },
  ],
  [
    'schema beside the form',
    1,
    async (hand, bench) => {
      await hand.click(bench.group('View of the result').getByRole('button', { name: 'Schema' }));
      await expect(bench.region('inputSchema')).toBeVisible();
      await expect(bench.field('message')).toBeVisible();
    },
  ],
  [
    'instructions',
    1,
    async (hand, bench) => {
      await hand.click(bench.state);
      await expect(bench.region('Instructions')).toBeVisible();
    },
  ],
  [
    'roots',
    2,
    async (hand, bench) => {
      await hand.click(bench.rail.getByRole('button', { name: 'Inbox' }));
      await hand.click(hand.page.getByRole('option', { name: /^Roots/ }));
      await expect(hand.page.getByRole('heading', { name: 'Roots' })).toBeVisible();
    },
  ],
  [
    'answered questions',
    1,
    async (hand, bench) => {
      await hand.click(bench.rail.getByRole('button', { name: 'Inbox' }));
      await expect(hand.page.getByRole('listbox', { name: 'questions' })).toBeVisible();
    },
  ],
  [
    'a raw message and its answer',
    2,
    async (hand, bench) => {
      await hand.click(bench.button('New message…'));
      await hand.click(bench.button('Send'));
      await expect(bench.outcome).toContainText('ok');
    },
  ],
  [
    'hold everything',
    1,
    async (hand, bench) => {
      await hand.drag(bench.button('Hold'), entry(hand, 'Hold everything'));
      await expect(bench.region('Held messages')).toContainText('everything is held');
    },
  ],
  [
    'log level',
    2,
    async (hand, bench) => {
      await hand.drag(bench.button('View of the log: All'), entry(hand, /^Server logs(?: \(|$)/));
      await hand.select(hand.page.getByRole('combobox', { name: 'Log level' }), 'debug');
    },
  ],
  [
    'server logs beside the wire',
    1,
    async (hand, bench) => {
      await hand.drag(hand.page.getByRole('button', { name: /^View of the log/ }), entry(hand, 'Server logs beside'));
      await expect(hand.page.getByRole('region', { name: 'Server logs beside all messages view' })).toBeVisible();
      await expect(bench.rows.first()).toBeVisible();
    },
  ],
  [
    'the server’s own list of tasks',
    2,
    async (hand, bench) => {
      await hand.drag(bench.button('More of the server'), entry(hand, 'Tasks'));
      await hand.click(bench.button('Refresh'));
    },
  ],
  [
    'stop scrolling',
    1,
    async (hand, bench) => {
      await hand.drag(bench.button('Columns and more'), entry(hand, 'Follow new messages'));
      expect(await bench.isOn('Follow new messages')).toBe(false);
    },
  ],
  [
    'follow',
    1,
    async (hand, bench) => {
      await hand.drag(bench.button('Columns and more'), entry(hand, 'Follow new messages'));
      expect(await bench.isOn('Follow new messages')).toBe(true);
    },
  ],
  [
    'columns',
    2,
    async (hand, bench) => {
      await hand.drag(bench.button('Columns and more'), entry(hand, 'Size'));
      await expect(bench.log.getByRole('columnheader', { name: 'Size' })).toBeVisible();
    },
  ],
  [
    'timeline',
    1,
    async (hand, bench) => {
      await hand.drag(bench.button('Columns and more'), entry(hand, 'Timeline'));
      await expect(bench.log.getByRole('group', { name: 'Timeline' })).toBeVisible();
    },
  ],
  [
    'maximise the log',
    1,
    async (hand, bench) => {
      await hand.click(bench.rail.getByRole('button', { name: 'Log', exact: true }));
      await expect(bench.view.first()).toBeHidden();
    },
  ],
  [
    'add a server',
    1,
    async (hand, bench) => {
      await hand.drag(bench.serversButton, hand.page.getByRole('button', { name: 'Add server' }));
      await expect(hand.page.getByRole('dialog', { name: 'Add server' })).toBeVisible();
    },
  ],
  [
    'switch to another server',
    1,
    async (hand, bench) => {
      const other = hand.page.locator('[popover] li').filter({ hasText: 'Skerry' }).getByRole('button').first();
      await hand.drag(bench.serversButton, other);
      await expect(bench.serversButton).toContainText('Skerry');
    },
  ],
  [
    'restart',
    1,
    async (hand, bench) => {
      await hand.click(bench.button('Restart'));
      await bench.connected();
    },
  ],
];

test('no action takes more presses and keys than when each view was a panel', async ({ visit }) => {
  test.skip(!serversInstalled, 'needs the real servers: run `npm ci` in e2e/servers');
  const { page } = await visit(['--', ...demoCommand()]);
  const bench = new Workbench(page);
  await bench.connected();
  await visit(['--', process.execPath, EVERYTHING, 'stdio']);
  await bench.connected();
  const counts = new Map<string, number>();
  for (const [name, most, act] of ACTIONS) {
    await test.step(name, async () => {
      // To where each begins: the first tool, without what the one before has opened.
      await page.keyboard.press('Escape');
      if (!(await bench.view.first().isVisible()))
        await bench.rail.getByRole('button', { name: 'Log', exact: true }).click();
      await bench.panel('Browse');
      if (await bench.region('Held messages').isVisible()) await bench.button('Stop holding').click();
      await bench.filterBox.fill('');
      const hand = new Hand(page);
      await act(hand, bench);
      counts.set(name, hand.count);
      expect(hand.count, name).toBeLessThanOrEqual(most);
    });
  }
});
