import type { Page } from '@playwright/test';
import { QUESTIONS } from '../proxy/connection/fixtures/hostile-texts.mjs';
import { expect, hostileCommand } from './bin';
import { watchForAttacks } from './crawl';
import { test } from './shared-bin';
import { Workbench } from './workbench';

/** How long the page may not answer a click, in ms, on a busy machine. */
const STUCK_MS = 20_000;

/** Answers every question that waits, each by the button that gives the server least. */
async function answerAll(bench: Workbench, page: Page): Promise<void> {
  const waiting = async () => Number(/^\((\d+)\)/.exec(await page.title())?.[1] ?? 0);
  const refuse = page.getByRole('button', { name: /^(?:Cancel|Reject)$/ }).first();
  await bench.panel('Inbox');
  for (let left = await waiting(); left > 0; left--) {
    // Without a question in its address, the Inbox shows the oldest that waits.
    await page.evaluate(() => {
      const url = new URL(location.href);
      url.searchParams.delete('item');
      history.pushState(null, '', url);
      dispatchEvent(new PopStateEvent('popstate'));
    });
    await refuse.click({ timeout: STUCK_MS });
    await expect.poll(waiting, { timeout: STUCK_MS }).toBe(left - 1);
  }
}

test('attack: hostile questions run nothing, each can be answered, and the page answers clicks', async ({
  visit,
  sharedPage,
}) => {
  test.setTimeout(300_000);
  const watched = await watchForAttacks(sharedPage.page);
  for (const [name, make] of Object.entries(QUESTIONS)) {
    await test.step(name, async () => {
      const { page } = await visit(['--', ...hostileCommand('questions')]);
      const bench = new Workbench(page);
      await bench.connected();
      await bench.tool('echo');
      await bench.field('text').fill(name);
      await bench.call();
      await expect(page).toHaveTitle(/^\(\d+\) mcp-inspect$/, { timeout: STUCK_MS });
      await bench.place('Problems');
      await answerAll(bench, page);
      await bench.tool('echo');
      await expect(bench.outcome).toContainText('ok');
      const { result } = JSON.parse(await bench.wire('response')) as { result: { content: [{ text: string }] } };
      const counts = JSON.parse(result.content[0].text) as Record<string, number>;
      const answers = Object.values(counts).reduce((sum, count) => sum + count, 0);
      expect.soft([answers, counts.twice], name).toEqual([make().length, undefined]);
      const seen = await page.evaluate(() => ({ ran: globalThis.ran, foreign: [...globalThis.foreign!] }));
      expect.soft(seen, name).toEqual({ ran: undefined, foreign: [] });
      expect.soft(watched, name).toEqual({ outside: [], alarms: [] });
    });
  }
});
