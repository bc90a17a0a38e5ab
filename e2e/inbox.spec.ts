import { join } from 'node:path';
import type { Locator, Page } from '@playwright/test';
import { expect } from './bin';
import { serversInstalled, test as withServers } from './http-servers';
import { CATALOG } from './servers/catalog.mjs';
import { Workbench } from './workbench';

const SERVER = join(import.meta.dirname, 'servers/ask-server.mjs');
/** More forms for the server's requests, shaped like those of real servers. */
const SCHEMAS = join(import.meta.dirname, 'servers/elicitation-schemas.json');

/** `bench` is a page connected to the server that sends requests to the client. */
const test = withServers.extend<{ bench: Workbench }>({
  bench: async ({ open }, use) => {
    const { page } = await open(['--', process.execPath, SERVER, SCHEMAS]);
    const bench = new Workbench(page);
    await bench.connected();
    await use(bench);
  },
});

/** Returns the first question in the Inbox. */
function question(bench: Workbench): Locator {
  return bench.page.getByRole('listbox', { name: 'questions' }).getByRole('option').first();
}

/** Calls a tool and opens its question in the Inbox. */
async function askedBy(bench: Workbench, tool: string): Promise<void> {
  await bench.tool(tool);
  await bench.call();
  await bench.button('Answer it in the Inbox').click();
  await expect(bench.button('Cancel')).toBeVisible();
}

/** Answers the question in view and returns what the server received, taken from the tool's result. */
async function answer(bench: Workbench, button: string, tool: string): Promise<string> {
  await bench.button(button).click();
  await expect(bench.region('Outcome').getByRole('status')).toContainText('answered');
  await bench.tool(tool);
  await expect(bench.outcome).toContainText('ok');
  await bench.group('View of the result').getByRole('button', { name: 'Raw' }).click();
  return JSON.parse(await bench.result.locator('pre').innerText()).result.content[0].text;
}

const OWN_FORMS = ['kinds', 'choices', 'untyped', 'nothing', 'secret'];
const FORMS_OF_FILE = ['every-kind', 'untyped-one-of', 'empty', 'two-texts'];

for (const form of [...OWN_FORMS, ...FORMS_OF_FILE]) {
  test(`${form}: accepted, declined and cancelled`, async ({ bench }) => {
    for (const [button, action] of [
      ['Decline', 'decline'],
      ['Cancel', 'cancel'],
      ['Accept', 'accept'],
    ] as const) {
      await askedBy(bench, form);
      expect(await answer(bench, button, form)).toContain(`"action":"${action}"`);
    }
  });
}

test('defaults keep every digit, titles are shown, and invalid content is sent unchanged', async ({ bench }) => {
  await askedBy(bench, 'kinds');
  await expect(bench.field('name')).toHaveValue('Bob');
  await expect(bench.field('share')).toHaveValue('0.50');
  await expect(bench.field('big')).toHaveValue('9007199254740993');
  await bench.field('email').fill('no address');
  await bench.field('name').focus();
  await expect(bench.button('! 1 invalid field')).toBeVisible();
  const received = await answer(bench, 'Accept', 'kinds');
  expect(received).toContain(
    '"content":{"name":"Bob","share":0.50,"big":9007199254740993,"agreed":true,"email":"no address"}',
  );

  await askedBy(bench, 'choices');
  await expect(bench.choice('titled').locator('option:checked')).toHaveText('Green — #0f0');
  await bench.group('View of the content').getByRole('button', { name: 'JSON' }).click();
  await bench.edit('[1e400]');
  expect(await answer(bench, 'Accept', 'choices')).toContain('"content":[1e400]');
});

test('two tabs share the Inbox: both show the count, and an answer in one removes the question from both', async ({
  bench,
  context,
}) => {
  await askedBy(bench, 'kinds');
  await bench.field('email').fill('a@b.test');
  const second = await context.newPage();
  await second.goto(bench.page.url());
  const other = new Workbench(second);
  await other.connected();
  await expect(second).toHaveTitle('(1) mcp-inspect');
  await other.button('1 question for you').click();
  await expect(other.button('Accept')).toBeVisible();
  // Typed input stays in this tab, even after a reload.
  await bench.page.reload();
  await expect(bench.field('email')).toHaveValue('a@b.test');
  await bench.button('Accept').click();
  await expect(other.button('Accept')).toHaveCount(0);
  await expect(second).toHaveTitle('mcp-inspect');
  await question(other).click();
  await expect(other.region('Outcome')).toContainText('answered');
});

test('a question ends when the server withdraws it, the call is cancelled, or the connection ends', async ({
  bench,
}) => {
  const { page } = bench;
  const became = bench.region('Outcome');
  await bench.tool('withdraw');
  await bench.call();
  await bench.panel('Inbox');
  await question(bench).click();
  await expect(became).toContainText('withdrawn');
  await expect(became).toContainText('no need');
  await expect(page).toHaveTitle('mcp-inspect');

  await bench.tool('kinds');
  await bench.call();
  await expect(bench.button('Answer it in the Inbox')).toBeVisible();
  await bench.button('Cancel').click();
  await expect(bench.button('Answer it in the Inbox')).toHaveCount(0);
  await page.keyboard.press('Escape');
  await bench.panel('Inbox');
  await question(bench).click();
  await expect(became).toContainText('was given up');

  await askedBy(bench, 'kinds');
  await bench.button('Disconnect').click();
  await expect(became).toContainText('lost');
  await expect(bench.button('Accept')).toHaveCount(0);
});

test('a flood: 20 questions wait, the rest are refused', async ({ bench }) => {
  await bench.tool('flood');
  await bench.call();
  await expect(bench.page).toHaveTitle('(20) mcp-inspect');
  await expect(bench.result).toContainText('30 were refused');
});

test('a URL is shown in full and not opened; a deceptive one is not a link', async ({ bench, context }) => {
  const { page } = bench;
  await askedBy(bench, 'url');
  const link = page.getByRole('link', { name: 'Open login.example.test in a new tab' });
  await expect(link).toHaveAttribute('href', 'https://login.example.test/a/b?state=1#x');
  await expect(link).toHaveAttribute('rel', 'noopener noreferrer');
  expect(await answer(bench, 'Accept', 'url')).toContain('{"action":"accept"}');
  expect(context.pages()).toHaveLength(1);
  await bench.tool('done');
  await bench.call();
  await bench.panel('Inbox');
  await question(bench).click();
  await expect(bench.region('Outcome')).toContainText('the elicitation is complete');

  await askedBy(bench, 'url-trap');
  await expect(page.getByText('evil.test', { exact: true }).first()).toBeVisible();
  await expect(page.getByText('doesn’t open a URL')).toBeVisible();
  await expect(page.getByRole('link', { name: /^Open/ })).toHaveCount(0);
});

test('sampling: the user writes the model’s answer, or refuses', async ({ bench }) => {
  await bench.tool('sample');
  await bench.call();
  await bench.button('Answer it in the Inbox').click();
  await expect(bench.page.getByText('Say something.')).toBeVisible();
  await bench.field('text').fill('Something.');
  const received = await answer(bench, 'Send result', 'sample');
  expect(received).toContain('"content":{"type":"text","text":"Something."}');
  await bench.filter('tool:sample or method:sampling/*');
  await expect(bench.rows.first()).toContainText('requests from the server: 1');
  await expect(bench.rows.nth(1)).toContainText('└sampling/createMessage');

  await bench.call();
  await bench.button('Answer it in the Inbox').click();
  expect(await answer(bench, 'Refuse', 'sample')).toContain('"code":-1');
});

test('roots: adding one notifies the server, which can list it', async ({ bench }) => {
  const { page } = bench;
  await bench.panel('Inbox');
  await expect(page.getByText('No questions are waiting')).toBeVisible();
  await page.getByRole('option', { name: /^Roots/ }).click();
  await bench.field('URI').fill('file:///home/me');
  await bench.button('Add root').click();
  await expect(page.getByRole('list', { name: 'Roots' })).toContainText('file:///home/me');
  await bench.filter('roots/list_changed');
  await expect(bench.rows.first()).toContainText('roots/list_changed');
  await bench.tool('roots');
  await bench.call();
  await expect(bench.result).toContainText('file:///home/me');
});

test('without client capabilities the server’s requests are refused', async ({ bench }) => {
  const { page } = bench;
  await bench.button('Add server').click();
  const form = page.getByRole('dialog');
  await form.getByRole('textbox').first().fill(`"${process.execPath}" "${SERVER}"`);
  await form.getByText('Client capabilities: all').click();
  for (const name of ['elicitation', 'elicitation by URL', 'sampling', 'roots']) {
    await form.getByRole('checkbox', { name, exact: true }).uncheck();
  }
  await form.getByRole('button', { name: 'Connect' }).click();
  await bench.connected();
  await bench.panel('Inbox');
  await expect(page.getByText('declares no client capabilities')).toBeVisible();
  await bench.tool('kinds');
  await bench.call();
  await expect(bench.result).toContainText('-32601');
});

withServers.describe('real servers', () => {
  test.skip(!serversInstalled, 'needs the real servers: run `npm ci` in e2e/servers');

  async function everything(page: Page): Promise<void> {
    const bench = new Workbench(page);
    await bench.connected();
    await askedBy(bench, 'trigger-elicitation-request');
    await expect(bench.field('firstLine')).toHaveValue('It was a dark and stormy night.');
    await bench.field('name').fill('Ada');
    await bench.button('Accept').click();
    await bench.tool('trigger-elicitation-request');
    await expect(bench.result).toContainText('Ada');

    await bench.tool('trigger-sampling-request');
    await bench.field('prompt').fill('Hello');
    await bench.call();
    await bench.button('Answer it in the Inbox').click();
    await bench.field('text').fill('Hello yourself');
    await bench.button('Send result').click();
    await bench.tool('trigger-sampling-request');
    await expect(bench.result).toContainText('Hello yourself');

    await bench.tool('trigger-url-elicitation');
    await bench.field('url').fill('https://example.test/go');
    await bench.choice('errorPath').selectOption('true');
    await bench.call();
    await expect(bench.result).toContainText('−32042');
    await expect(page.getByRole('link', { name: 'Open modelcontextprotocol.io in a new tab' })).toBeVisible();

    await bench.panel('Inbox');
    await page.getByRole('option', { name: /^Roots/ }).click();
    await bench.field('URI').fill('file:///somewhere');
    await bench.button('Add root').click();
    await bench.tool('get-roots-list');
    await bench.call();
    await expect(bench.result).toContainText('file:///somewhere');
  }

  test('everything, over stdio', async ({ open }) => {
    const { command, args } = CATALOG.find(({ name }) => name === 'everything')!;
    const { page } = await open(['--', command, ...args]);
    await everything(page);
  });

  test('everything, over Streamable HTTP', async ({ open, serve }) => {
    const { url } = await serve('everything');
    const { page } = await open([url]);
    await everything(page);
  });

  for (const over of ['stdio', 'HTTP']) {
    test(`a modern server asks in two rounds over ${over}`, async ({ open, serve }) => {
      const { command, args } = CATALOG.find(({ name }) => name === 'modern-reject')!;
      const { page } = await open(over === 'stdio' ? ['--', command, ...args] : [(await serve('modern-reject')).url]);
      const bench = new Workbench(page);
      await bench.connected();
      await askedBy(bench, 'ask');
      await expect(bench.field('n')).toHaveValue('3');
      await bench.button('Accept').click();
      await expect(bench.region('Outcome')).toContainText('"form" was answered');
      await page.getByRole('option', { name: 'sampling/createMessage' }).click();
      await bench.field('text').fill('It.');
      await bench.button('Send result').click();
      await page.getByRole('option', { name: 'Go there.' }).click();
      await expect(page.getByRole('link', { name: 'Open example.test in a new tab' })).toBeVisible();
      await bench.button('Accept').click();
      await bench.tool('ask');
      await expect(bench.outcome).toContainText('ok');
      await expect(bench.result).toContainText('place: {action: "accept"}');
      await bench.filter('tool:ask');
      // The row of the call counts its three requests.
      await expect(bench.rows.first()).toContainText('3 requests');

      await bench.call();
      await bench.button('Answer it in the Inbox').click();
      await bench.button('Cancel the call').click();
      await expect(bench.region('Outcome')).toContainText('you cancelled the request');
    });
  }
});
