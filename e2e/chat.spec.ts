import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator, Page } from '@playwright/test';
import { demoCommand, expect, test } from './bin';
import { accessFaults } from './page-faults';
import { Workbench } from './workbench';

const RULES = {
  rules: [
    {
      when: { text: 'both' },
      say: 'I ask both.',
      call: [
        { tool: 'echo', arguments: { message: 'one' } },
        { tool: 'price', arguments: { item: 'tea' } },
      ],
    },
    { when: { tool: 'price' }, say: 'Both have **answered**. ![x](https://example.com/x.png)' },
    { when: { text: 'slow' }, say: 'Word after word after word', pieces: 1, delay: 100 },
    { when: {}, say: 'You said: {{text}}' },
  ],
};

/** The chat of the page. */
class ChatPage {
  readonly transcript: Locator;
  readonly message: Locator;

  constructor(readonly page: Page) {
    this.transcript = page.getByRole('log', { name: 'Chat' });
    this.message = page.getByRole('textbox', { name: 'Message', exact: true });
  }

  async say(text: string): Promise<void> {
    await this.message.fill(text);
    await this.message.press('Enter');
  }

  decision(tool: string): Locator {
    return this.page.getByRole('group', { name: `Decide on ${tool}` });
  }
}

test('a chat over two servers: approvals, cancel, edit, and everything after a reload', async ({ open }, {
  outputDir,
}) => {
  mkdirSync(outputDir, { recursive: true });
  writeFileSync(join(outputDir, 'price'), '10');
  writeFileSync(join(outputDir, 'rules.json'), JSON.stringify(RULES));
  const [command, ...args] = demoCommand();
  const price = [join(import.meta.dirname, 'servers/price.mjs'), join(outputDir, 'price')];
  const mcpServers = { demo: { command, args }, shop: { command: process.execPath, args: price } };
  writeFileSync(join(outputDir, 'mcp.json'), JSON.stringify({ mcpServers }));
  const { page } = await open(['--config', 'mcp.json'], { cwd: outputDir });
  const bench = new Workbench(page);
  await page.getByRole('button', { name: /^Connect all servers/ }).click();
  await bench.panel('Chat');
  const chat = new ChatPage(page);
  await expect(page.getByText('Choose a model in the chat settings')).toBeVisible();
  const model = page.getByRole('combobox', { name: 'Model' });
  await model.fill('scripted:rules.json');
  // Its suggestions cover what is below.
  await model.press('Escape');
  const settings = bench.region('Chat settings');
  await settings.getByRole('checkbox', { name: 'demo' }).check();
  await settings.getByRole('checkbox', { name: 'shop' }).check();

  await chat.say('ask both');
  await expect(chat.message).toBeFocused();
  await chat.decision('demo__echo').getByRole('button', { name: 'Edit' }).click();
  await bench.edit('{"message":"two"}');
  await bench.button('Run with these').click();
  await expect(chat.transcript).toContainText('changed by you');
  await chat.decision('shop__price').getByRole('button', { name: 'Answer by hand' }).click();
  await page.getByRole('textbox', { name: 'Answer in place of the tool' }).fill('12');
  await bench.button('Send answer').click();
  await expect(chat.transcript).toContainText('Both have answered.');
  await expect(chat.transcript).toContainText('answered by hand');
  await expect(chat.transcript.locator('img')).toHaveCount(0);
  expect(await accessFaults(page)).toEqual([]);

  await chat.transcript.getByTitle('Show the request in its server’s log').click();
  await expect(bench.detail).toContainText('tools/call');
  await page.goBack();

  await chat.say('slow');
  await expect(chat.transcript).toContainText('Wor');
  await bench.button('Cancel').click();
  await expect(chat.transcript).toContainText('Cancelled');

  const first = chat.transcript.getByRole('article', { name: 'Your message' }).first();
  await first.getByRole('button', { name: 'Edit' }).click();
  await page.getByRole('textbox', { name: 'Changed message' }).fill('something else');
  await page.getByRole('textbox', { name: 'Changed message' }).press('Enter');
  await expect(chat.transcript).toContainText('You said: something else');
  await expect(chat.transcript).not.toContainText('Both have');
  await bench.button('Earlier branch').click();
  await expect(chat.transcript).toContainText('Both have answered.');

  await bench.button('Model’s view').first().click();
  const view = page.getByRole('region', { name: 'The model’s view' });
  await expect(view).toContainText('tools of demo');
  await view.getByRole('button', { name: 'Request' }).click();
  await expect(view).toContainText('shop__price');

  await bench.button('Chat settings').click();
  await bench.button('Share chat').click();
  await expect(page.getByRole('dialog', { name: 'Share' })).toContainText(/Sharing \d+ frames/);
  await page.keyboard.press('Escape');

  await chat.message.fill('not sent yet');
  await page.reload();
  await expect(chat.transcript).toContainText('Both have answered.');
  await expect(chat.transcript).toContainText('Cancelled');
  await expect(chat.message).toHaveValue('not sent yet');
});

test('a model answers a sampling request: the person edits request and answer, or lets both pass', async ({ open }, {
  outputDir,
}) => {
  mkdirSync(outputDir, { recursive: true });
  writeFileSync(join(outputDir, 'rules.json'), JSON.stringify(RULES));
  const server = join(import.meta.dirname, 'servers/ask-server.mjs');
  const { page } = await open(['--', process.execPath, server], { cwd: outputDir });
  const bench = new Workbench(page);
  const call = async () => {
    await bench.tool('sample');
    await bench.call();
  };
  await call();
  const model = bench.region('Reply of a model');
  await model.getByRole('button', { name: 'ask a model…' }).click();
  await model.getByRole('combobox', { name: 'Model' }).fill('scripted:rules.json');
  await model.getByRole('button', { name: 'Ask a model', exact: true }).click();
  const reply = page.getByRole('textbox', { name: 'Reply' });
  await expect(reply).toHaveValue('You said: Say something.');
  await reply.fill('I say it myself.');
  await model.getByRole('button', { name: 'Ask the model again' }).click();
  await expect(model.getByRole('button', { name: 'Use the model’s answer' })).toBeVisible();
  await expect(reply).toHaveValue('I say it myself.');
  await bench.button('Send reply').click();
  await expect(bench.view).toContainText('I say it myself.');

  await bench.panel('Inbox');
  await page.getByRole('option', { name: /^Sampling/ }).click();
  await page.getByRole('combobox', { name: 'Requests are answered by' }).selectOption('A model, without you');
  await bench.button('Use this choice').click();
  await expect(page.getByRole('status').filter({ hasText: 'In use' })).toBeVisible();
  expect(await accessFaults(page)).toEqual([]);
  await call();
  await expect(bench.view).toContainText('You said: Say something.');
  await bench.panel('Chat');
  await page.getByRole('combobox', { name: 'Chat' }).selectOption({ label: 'Sampling of ask-server.mjs' });
  const chat = new ChatPage(page);
  await expect(chat.transcript.getByRole('article', { name: 'Request of a server' })).toHaveCount(3);
  expect(await accessFaults(page)).toEqual([]);
  await chat.transcript.getByTitle('Show the request in its server’s log').last().click();
  await expect(bench.detail).toContainText('sampling/createMessage');
});
