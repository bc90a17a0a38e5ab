import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator } from '@playwright/test';
import { expect, packageFolder, runBin } from './bin';
import { serversInstalled, test } from './http-servers';
import { Workbench } from './workbench';

const SERVERS = join(import.meta.dirname, 'servers');
const FIXTURE = join(SERVERS, 'tasks-server.mjs');
const EVERYTHING = join(SERVERS, 'node_modules/@modelcontextprotocol/server-everything/dist/index.js');

const server = (era: 'legacy' | 'modern'): string[] => ['--', process.execPath, FIXTURE, era];

/** The task in the result area. */
function taskOf(bench: Workbench): Locator {
  return bench.result.getByRole('region', { name: 'Task', exact: true });
}

/** The row of the newest call of a tool. */
async function callRow(bench: Workbench, tool: string): Promise<Locator> {
  // Polls would move it out of view.
  await bench.filterBox.fill('method:tools/call kind:request');
  return bench.rows.filter({ hasText: new RegExp(`tools/call\\s*${tool}`) }).last();
}

/** Calls a tool as a task; a modern server decides that itself. */
async function callAsTask(bench: Workbench, tool: string, choose: boolean): Promise<void> {
  await bench.tool(tool);
  if (choose) await bench.page.getByRole('checkbox', { name: 'Run as task' }).check();
  await bench.call();
}

async function answerColour(bench: Workbench): Promise<void> {
  await expect(bench.result.getByText('Which colour?')).toBeVisible();
  await bench.field('colour').fill('red');
  await bench.button('Accept').click();
}

test('a task of server-everything runs to its end, and tools run as tasks only where they may', async ({ visit }) => {
  await test.step('the research of server-everything runs to its end, with its question answered in the Inbox', async () => {
    test.skip(!serversInstalled, 'needs the real servers: run `npm ci` in e2e/servers');
    const { page } = await visit(['--', process.execPath, EVERYTHING, 'stdio']);
    const bench = new Workbench(page);
    await bench.connected();
    await bench.tool('simulate-research-query');
    await expect(page.getByText('Runs as a task')).toBeVisible();
    await bench.field('topic').fill('python');
    await bench.choice('ambiguous').selectOption('true');
    await bench.call();
    await expect(taskOf(bench)).toContainText('working');
    await expect(taskOf(bench)).toContainText('kept 5 min 00 s');
    await expect(await callRow(bench, 'simulate-research-query')).toContainText('in flight');
    await expect(taskOf(bench)).toContainText('input_required', { timeout: 20_000 });
    await bench.button('Open in the Inbox').click();
    await page.getByRole('radio', { name: /^Python snake species/ }).check();
    await bench.button('Accept').click();
    await expect(bench.region('Outcome').getByRole('status')).toContainText('answered');
    await bench.panel('Tasks');
    const listed = page.getByRole('listbox', { name: 'tasks' }).getByRole('option');
    await expect(listed).toContainText('completed', { timeout: 20_000 });
    await expect(page.getByRole('region', { name: 'Result of the task' })).toContainText(
      'Research Report: python (snake)',
    );
    await bench.tool('simulate-research-query');
    await expect(bench.outcome).toContainText('ok');
    await expect(bench.result).toContainText('Research Report: python (snake)');
    // The row of the call has the time of the whole task.
    await expect(await callRow(bench, 'simulate-research-query')).toContainText(/\d+\.\d+ s.*ok/s);
  });

  await test.step('a tool runs as a task only where it may, and the list of tasks has those of others', async () => {
    const { page } = await visit(server('legacy'));
    const bench = new Workbench(page);
    await bench.connected();
    await bench.panel('Tasks');
    await expect(page.getByText('No tasks yet')).toBeVisible();
    const offer = page.getByRole('checkbox', { name: 'Run as task' });
    await bench.tool('plain');
    await expect(offer).toHaveCount(0);
    await bench.call();
    await expect(bench.result).toContainText('ran without a task');
    await bench.tool('quick');
    await expect(offer).not.toBeChecked();
    await bench.call();
    await expect(bench.result).toContainText('ran without a task');
    await offer.check();
    const ttl = bench.field('ttl of the task in ms');
    await ttl.fill('soon');
    await expect(bench.button('Call tool')).toBeDisabled();
    await ttl.fill('60000');
    await bench.call();
    await expect(bench.result).toContainText('done in 3 steps');
    await (await callRow(bench, 'quick')).click();
    await expect(page.getByRole('region', { name: 'Message detail' })).toContainText('60000');
    await bench.panel('Tasks');
    await bench.button('Refresh').click();
    await expect(page.getByText(/^1 task in/)).toBeVisible();
    await bench.button('Get status').click();
    await bench.button('Show the tool').click();
    await expect(page.getByRole('heading', { level: 2, name: 'quick', exact: true })).toBeVisible();
  });
});

for (const era of ['legacy', 'modern'] as const) {
  test(`${era}: tasks ask, fail, expire and are cancelled`, async ({ visit }) => {
    await test.step('a task that asks for input is answered in place, and is one exchange', async () => {
      const { page } = await visit(server(era));
      const bench = new Workbench(page);
      await bench.connected();
      await bench.tool('ask');
      await bench.call();
      await answerColour(bench);
      await expect(bench.outcome).toContainText('ok');
      await expect(bench.result).toContainText('answer: {"action":"accept","content":{"colour":"red"}}');
      await (await callRow(bench, 'ask')).click();
      await page.getByRole('tab', { name: /^Exchange/ }).click();
      const parts = page.getByRole('list', { name: 'Parts of the exchange' });
      // A slow answer comes after many polls, and only the parts in view are drawn.
      const asked = era === 'legacy' ? ['server asks', 'tasks/result'] : ['tasks/update', 'tasks/get'];
      for (const text of ['tools/call ask', ...asked]) {
        await parts.hover();
        await page.mouse.wheel(0, -10_000);
        await expect(async () => {
          await page.mouse.wheel(0, 100);
          await expect(parts).toContainText(text, { timeout: 500 });
        }).toPass();
      }
      await bench.panel('Problems');
      await expect(page.getByText('No problems')).toBeVisible();
    });

    await test.step('tasks fail, expire and are cancelled', async () => {
      const { page } = await visit(server(era));
      const bench = new Workbench(page);
      await bench.connected();
      const choose = era === 'legacy';
      await callAsTask(bench, 'fail', choose);
      await expect(bench.outcome).toContainText('error −32050');
      await expect(bench.result).toContainText('The oven is broken');
      await callAsTask(bench, 'tool-error', choose);
      await expect(bench.outcome).toContainText('isError');
      await callAsTask(bench, 'expire', choose);
      await expect(bench.outcome).toContainText('no result');
      await expect(bench.result).toContainText('mcp-inspect gave up');
      await callAsTask(bench, 'forever', choose);
      await expect(taskOf(bench)).toContainText('baking');
      await bench.button('Cancel task').click();
      await expect(bench.outcome).toContainText('cancelled');
      await expect(await callRow(bench, 'forever')).toContainText('cancelled');
      // A server that ignores the cancellation keeps the task. A second press leaves it.
      await callAsTask(bench, 'stubborn', choose);
      await expect(taskOf(bench)).toContainText('baking');
      await bench.button('Cancel task').click();
      await bench.filterBox.fill('method:tasks/cancel');
      await expect(bench.rows).toHaveCount(4);
      await bench.button('Cancel task').click();
      await expect(bench.result).toContainText('stopped following the task');
      await bench.panel('Tasks');
      await expect(page.getByRole('listbox', { name: 'tasks' }).getByRole('option')).toHaveCount(5);
    });
  });
}

test('recorded tasks of both eras open as they were, and a replay answers them', async ({ open }, { outputDir }) => {
  mkdirSync(outputDir, { recursive: true });
  const answers = join(outputDir, 'answers.json');
  const accept = { action: 'accept', content: { colour: 'red' } };
  writeFileSync(answers, JSON.stringify({ 'elicitation/create': { result: accept } }));
  const words = ['call', 'ask', '--task', 'auto', '--json', '--answers', answers];
  const files: string[] = [];
  for (const era of ['legacy', 'modern'] as const) {
    const file = join(outputDir, `${era}.mcpr.jsonl`);
    const recorded = await runBin([...words, '--record', file, ...server(era)]);
    expect(recorded.ended).toBe(0);
    expect(JSON.parse(recorded.stdout).content[0].text).toBe(`answer: ${JSON.stringify(accept)}`);
    const replay = [process.execPath, join(packageFolder(), 'dist/cli.js'), 'replay', file];
    const replayed = await runBin([...words, '--', ...replay]);
    expect(replayed.stdout, era).toBe(recorded.stdout);
    files.push(file);
  }
  const { page } = await open(['open', ...files]);
  const bench = new Workbench(page);
  for (const [at, era] of ['legacy', 'modern'].entries()) {
    const recording = (await bench.openRecordings()).getByRole('listitem').nth(at);
    await recording.getByRole('button').first().click();
    await bench.closeServers();
    await expect(bench.region('About this recording')).toContainText(`${era}.mcpr.jsonl`);
    await expect(await callRow(bench, 'ask')).toContainText('ok');
    await bench.panel('Tasks');
    await expect(page.getByRole('listbox', { name: 'tasks' }).getByRole('option')).toContainText('completed');
    await expect(page.getByRole('region', { name: 'Result of the task' })).toContainText('answer:');
    await expect(bench.button('Get status')).toHaveCount(0);
  }
});

test('in a terminal, a call of a tool that must run as a task says so', async () => {
  test.skip(!serversInstalled, 'needs the real servers: run `npm ci` in e2e/servers');
  const words = ['call', 'simulate-research-query', '--arg', 'topic=x', '--', process.execPath, EVERYTHING];
  const { ended, stderr } = await runBin(words);
  expect(ended).toBe(1);
  expect(stderr).toContain('`simulate-research-query` runs only as a task: add `--task auto`.');
});
