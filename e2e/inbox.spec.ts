import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator, Page } from '@playwright/test';
import { expect } from './bin';
import { serversInstalled, test as withServers } from './http-servers';
import { CATALOG } from './servers/catalog.mjs';
import { Workbench } from './workbench';

const SERVER = join(import.meta.dirname, 'servers/ask-server.mjs');
/** More forms for the server's requests, shaped like those of real servers. */
const SCHEMAS = join(import.meta.dirname, 'servers/elicitation-schemas.json');
const ASK_SERVER = ['--', process.execPath, SERVER, SCHEMAS];

/** `bench` is a page connected to the server that sends requests to the client. */
const test = withServers.extend<{ bench: Workbench }>({
  bench: async ({ visit }, use) => {
    const { page } = await visit(ASK_SERVER);
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
  await bench.button('Open in the Inbox').click();
  await expect(bench.button('Cancel')).toBeVisible();
}

/** Accepts a form, with its problems if it has any. */
async function accept(bench: Workbench): Promise<void> {
  await bench.button('Accept').click();
  const anyway = bench.button('Accept anyway');
  await expect(anyway.or(bench.region('Outcome'))).toBeVisible();
  if (await anyway.isVisible()) await anyway.click();
}

/** Answers the question in view and returns what the server received, taken from the tool's result. */
async function answer(bench: Workbench, button: string, tool: string): Promise<string> {
  if (button === 'Accept') await accept(bench);
  else await bench.button(button).click();
  await expect(bench.region('Outcome').getByRole('status')).toContainText('answered');
  await bench.tool(tool);
  await expect(bench.outcome).toContainText('ok');
  await bench.group('View of the result').getByRole('button', { name: 'Raw' }).click();
  return JSON.parse(await bench.result.locator('pre').innerText()).result.content[0].text;
}

const OWN_FORMS = ['kinds', 'choices', 'untyped', 'nothing', 'secret'];
const FORMS_OF_FILE = ['every-kind', 'untyped-one-of', 'empty', 'two-texts'];

for (const forms of [OWN_FORMS, FORMS_OF_FILE]) {
  test(`${forms.join(', ')}: accepted`, async ({ bench }) => {
    for (const form of forms) {
      await askedBy(bench, form);
      expect(await answer(bench, 'Accept', form), form).toContain('"action":"accept"');
    }
  });
}

test('forms with and without required fields are declined and cancelled', async ({ bench }) => {
  for (const [form, button, action] of [
    ['kinds', 'Decline', 'decline'],
    ['kinds', 'Cancel', 'cancel'],
    ['nothing', 'Decline', 'decline'],
    ['nothing', 'Cancel', 'cancel'],
    ['secret', 'Decline', 'decline'],
  ] as const) {
    await askedBy(bench, form);
    expect(await answer(bench, button, form), form).toContain(`"action":"${action}"`);
  }
});

test('defaults keep every digit, titles are shown, and invalid content is sent unchanged', async ({ bench }) => {
  await askedBy(bench, 'kinds');
  await expect(bench.field('Name')).toHaveValue('Bob');
  await expect(bench.field('share')).toHaveValue('0.50');
  await expect(bench.field('big')).toHaveValue('9007199254740993');
  await bench.field('email').fill('no address');
  await bench.field('Name').focus();
  await expect(bench.button('! 1 invalid field')).toBeVisible();
  const received = await answer(bench, 'Accept', 'kinds');
  expect(received).toContain(
    '"content":{"name":"Bob","share":0.50,"big":9007199254740993,"agreed":true,"email":"no address"}',
  );

  await askedBy(bench, 'choices');
  await expect(bench.page.getByRole('radio', { name: 'Green — #0f0' })).toBeChecked();
  await bench.group('View of the content').getByRole('button', { name: 'JSON' }).click();
  await bench.edit('[1e400]');
  expect(await answer(bench, 'Accept', 'choices')).toContain('"content":[1e400]');
});

test('two tabs share the Inbox: both show the count, and an answer in one removes the question from both', async ({
  bench,
}) => {
  await askedBy(bench, 'kinds');
  await bench.field('email').fill('a@b.test');
  const second = await bench.page.context().newPage();
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
  await expect(became).toContainText('cancelled');
  await expect(became).toContainText('no need');
  await expect(page).toHaveTitle('mcp-inspect');

  await bench.tool('kinds');
  await bench.call();
  await expect(bench.button('Open in the Inbox')).toBeVisible();
  // The question has a button of this name, too.
  await bench.button('Cancel').first().click();
  await expect(bench.button('Open in the Inbox')).toHaveCount(0);
  await page.keyboard.press('Escape');
  await bench.panel('Inbox');
  await question(bench).click();
  await expect(became).toContainText('was given up');

  await askedBy(bench, 'kinds');
  await bench.disconnect();
  await expect(became).toContainText('the connection ended first');
  await expect(bench.button('Accept')).toHaveAttribute('aria-disabled', 'true');
});

test('a URL is shown in full and not opened; a deceptive one is not a link', async ({ bench }) => {
  const { page } = bench;
  await askedBy(bench, 'url');
  const link = page.getByRole('link', { name: 'Open login.example.test in a new tab' });
  await expect(link).toHaveAttribute('href', 'https://login.example.test/a/b?state=1#x');
  await expect(link).toHaveAttribute('rel', 'noopener noreferrer');
  expect(await answer(bench, 'Accept', 'url')).toContain('{"action":"accept"}');
  expect(bench.page.context().pages()).toHaveLength(1);
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

test('sampling: the user writes the model’s reply, or rejects it', async ({ bench }) => {
  await bench.tool('sample');
  await bench.call();
  await bench.button('Open in the Inbox').click();
  await expect(question(bench)).toContainText('Say something.');
  await expect(bench.page.getByText('Say something.', { exact: true }).last()).toBeVisible();
  await bench.field('Reply').fill('Something.');
  const received = await answer(bench, 'Send reply', 'sample');
  expect(received).toContain('"content":{"type":"text","text":"Something."}');
  await bench.filter('tool:sample or method:sampling/*');
  await expect(bench.rows.first()).toContainText('requests from the server: 1');
  await expect(bench.rows.nth(1)).toContainText('└sampling/createMessage');

  await bench.call();
  await bench.button('Open in the Inbox').click();
  expect(await answer(bench, 'Reject', 'sample')).toContain('"code":-1');
});

test('a call that waits for an answer shows the form in place of its result @firefox', async ({ bench }) => {
  const { page } = bench;
  await bench.tool('sample');
  await bench.call();
  const asks = bench.region('Question from the server');
  await expect(asks.getByRole('status')).toContainText('The server asks something before it responds');
  await expect(asks).toContainText('Be brief.');
  // The user pressed the button and did nothing since.
  await expect(bench.field('Reply')).toBeFocused();
  await page.keyboard.type('Something.');
  await page.keyboard.press('ControlOrMeta+Enter');
  await expect(asks).toHaveCount(0);
  await expect(bench.outcome).toContainText('ok');
  await expect(bench.result).toContainText('Something.');
  await expect(page).toHaveURL(/panel=tools/);

  // The same reply is one click away.
  await bench.call();
  await expect(bench.field('Reply')).toHaveValue('');
  await asks.getByRole('button', { name: 'Something.' }).click();
  await expect(bench.field('Reply')).toHaveValue('Something.');
  await bench.button('Send reply').click();
  await expect(bench.outcome).toContainText('ok');
});

test('a question takes the focus only from a user who has done nothing since the call', async ({ bench }) => {
  const { page } = bench;
  await bench.tool('kinds');
  await bench.group('View of the arguments').getByRole('button', { name: 'JSON' }).click();
  await bench.edit('{}');
  await page.keyboard.press('ControlOrMeta+Enter');
  await expect(bench.field('Name')).toBeFocused();
  await bench.button('Decline').click();
  await expect(bench.outcome).toContainText('ok');

  const second = await bench.page.context().newPage();
  await second.goto(page.url());
  const other = new Workbench(second);
  await other.connected();
  await bench.tool('hold');
  await bench.group('View of the arguments').getByRole('button', { name: 'JSON' }).click();
  await bench.edit('{}');
  await page.keyboard.press('ControlOrMeta+Enter');
  await expect(bench.outcome).toContainText('in flight');
  await page.keyboard.press('ArrowLeft');
  await other.tool('release');
  await other.call();
  await expect(bench.region('Question from the server')).toBeVisible();
  await expect(bench.editor).toBeFocused();
});

test('a checkbox of a question stands before its name, and a banner elsewhere says that the server asks', async ({
  bench,
}) => {
  const { page } = bench;
  await bench.tool('kinds');
  await bench.call();
  await expect(bench.region('Question from the server')).toBeVisible();
  const agreed = page.getByRole('checkbox', { name: 'agreed' });
  await expect(agreed).toBeChecked();
  const name = (await page.getByText('agreed', { exact: true }).boundingBox())!;
  const check = (await agreed.boundingBox())!;
  expect(check.x + check.width).toBeLessThanOrEqual(name.x);
  expect(Math.abs(check.y + check.height / 2 - name.y - name.height / 2)).toBeLessThan(6);
  const banner = bench.region('Questions');
  await expect(banner).toHaveCount(0);

  await bench.panel('Server');
  await expect(banner).toContainText('asks 1 question');
  await bench.filterBox.fill('a');
  await expect(banner).toBeVisible();
  await page.keyboard.press('Escape');
  await bench.panel('Server');
  await bench.keys('a');
  await expect(bench.field('Name')).toBeFocused();
  await expect(banner).toHaveCount(0);
});

test('an invalid answer is held back once, at its first problem, and an empty one marks every required field', async ({
  bench,
}) => {
  await askedBy(bench, 'kinds');
  await bench.field('email').fill('no address');
  await bench.button('Accept').click();
  await expect(bench.field('email')).toBeFocused();
  await expect(bench.page.getByText('Not sent. Correct it, or accept anyway')).toBeVisible();
  await bench.field('email').fill('a@b.test');
  await expect(bench.button('Accept anyway')).toHaveCount(0);
  await bench.page.keyboard.press('ControlOrMeta+Enter');
  await expect(bench.region('Outcome')).toContainText('a@b.test');

  await askedBy(bench, 'delivery');
  await bench.page.keyboard.press('ControlOrMeta+Enter');
  await expect(bench.button('! 3 invalid fields')).toBeVisible();
  await expect(bench.field('Full name')).toHaveAttribute('aria-invalid', 'true');
  await expect(bench.field('Full name')).toBeFocused();
  await bench.field('Full name').fill('A');
  await bench.field('E-mail').focus();
  await bench.button('Accept').click();
  await expect(bench.field('Full name')).toBeFocused();
  await expect(bench.button('! 3 invalid fields')).toBeVisible();
});

test('sampling: shows all of the request, covers no field with buttons, and replies with JSON', async ({ bench }) => {
  const { page } = bench;
  await bench.tool('sample-rich');
  await bench.call();
  await bench.button('Open in the Inbox').click();
  const reply = bench.field('Reply');
  await expect(reply).toBeFocused();
  const box = (await reply.boundingBox())!;
  const bar = (await bench.button('Send reply').boundingBox())!;
  expect(box.y + box.height).toBeLessThanOrEqual(bar.y);
  for (const text of ['harbour pilot', 'Can we enter the harbour', 'Cuxhaven', 'High water at 22:40']) {
    await expect(page.getByText(text).first()).toBeVisible();
  }
  await expect(page.getByText('claude, gpt · cost 0.3 · intelligence 0.9')).toBeVisible();
  await expect(page.getByText('thisServer')).toBeVisible();
  await page.getByText('The model may use 1 tool').click();
  await bench.button('Reply with a call of tide').click();
  await expect(page.getByText('This reply is not plain text')).toBeVisible();
  const received = await answer(bench, 'Send reply', 'sample-rich');
  expect(received).toContain('"content":[{"type":"tool_use","id":"call-1","name":"tide","input":{}}]');
  expect(received).toContain('"stopReason":"toolUse"');
});

test('a copy of the request can be edited, and the form follows it', async ({ bench }) => {
  const { page } = bench;
  await askedBy(bench, 'nothing');
  await page.getByText('Request as JSON').click();
  await bench.button('Edit a copy').click();
  await bench.edit(
    '{"message":"Changed","requestedSchema":{"type":"object","properties":{"extra":{"type":"string"}}}}',
  );
  await expect(page.getByText('Changed', { exact: true })).toBeVisible();
  // The view of what the server sent does not end the copy.
  await page.getByRole('group', { name: 'View of the request' }).getByRole('button', { name: 'Pretty' }).click();
  await expect(page.getByText('Changed', { exact: true })).toBeVisible();
  await bench.button('Edit a copy').click();
  await expect(page.getByRole('button', { name: 'Discard the copy' })).toBeVisible();
  await bench.field('extra').fill('x');
  expect(await answer(bench, 'Accept', 'nothing')).toContain('"content":{"extra":"x"}');
});

test('a standing answer answers the same form without the user, until it is paused or deleted', async ({
  open,
  start,
  context,
}) => {
  const { page } = await open(ASK_SERVER);
  const bench = new Workbench(page);
  await bench.connected();
  const always = async (label: string) => {
    await bench.button('Always answer like this').click();
    await page.getByRole('menuitem', { name: label }).click();
  };
  await bench.tool('choices');
  await bench.call();
  await always('Always accept with these values');
  await expect(bench.outcome).toContainText('ok');
  await expect(bench.result).toContainText('Your answer is now a standing answer.');

  await bench.call();
  await expect(bench.result).toContainText('A standing answer was sent during this call.');
  await bench.filter('standing');
  await expect(bench.rows.first()).toContainText('standing answer');
  await expect(bench.result).toContainText('plain: "a"');
  await bench.panel('Inbox');
  await question(bench).click();
  await expect(bench.region('Outcome')).toContainText('answered by a standing answer');

  const file = test.info().outputPath('home', 'standing-answers.json');
  expect(statSync(file).mode & 0o777).toBe(0o600);

  // Another mcp-inspect of the same user.
  const second = await context.newPage();
  await second.goto((await start(ASK_SERVER)).link);
  const other = new Workbench(second);
  await other.connected();
  await other.tool('choices');
  await other.call();
  await expect(other.outcome).toContainText('ok');

  await page.getByRole('option', { name: /^Standing answers/ }).click();
  const list = bench.region('For this server');
  await expect(list).toContainText('Please fill in choices.');
  await list.getByRole('button', { name: /^Pause/ }).click();
  await expect(list).toContainText('paused');
  await other.call();
  await expect(other.button('Accept')).toBeVisible();
  await other.button('Accept').click();
  await list.getByRole('button', { name: /^Delete/ }).click();
  await expect(list).toHaveCount(0);
  expect(readFileSync(file, 'utf8')).toContain('"answers":[]');

  await bench.tool('url');
  await bench.call();
  await expect(bench.button('Decline')).toBeVisible();
  await expect(bench.button('Always answer like this')).toHaveCount(0);
  await bench.button('Decline').click();
  await bench.tool('secret');
  await bench.call();
  await expect(bench.button('Decline')).toBeVisible();
  await expect(bench.button('Always answer like this')).toHaveCount(0);
});

test('roots: adding one notifies the server, which can list it; of a flood, 20 questions wait', async ({ bench }) => {
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

  await bench.tool('flood');
  await bench.call();
  await expect(page).toHaveTitle('(20) mcp-inspect');
  await expect(bench.result).toContainText('30 were refused');
});

test('without client capabilities the server’s requests are refused', async ({ bench }) => {
  const { page } = bench;
  await bench.addServer();
  const form = page.getByRole('dialog');
  await form.getByRole('textbox').first().fill(`"${process.execPath}" "${SERVER}"`);
  await bench.options();
  await form.getByText('Client settings: all supported').click();
  for (const name of ['Elicitation', 'Sampling', 'Roots']) {
    await form.getByRole('checkbox', { name, exact: true }).uncheck();
  }
  await form.getByRole('button', { name: 'Connect', exact: true }).click();
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
    await expect(bench.field('String with default')).toHaveValue('It was a dark and stormy night.');
    await bench.field('String').fill('Ada');
    await page.getByRole('checkbox', { name: 'Boolean', exact: true }).check();
    await bench.button('Accept').click();
    await bench.tool('trigger-elicitation-request');
    await expect(bench.result).toContainText('Ada');

    await bench.tool('trigger-sampling-request');
    await bench.field('prompt').fill('Hello');
    await bench.call();
    await bench.button('Open in the Inbox').click();
    await bench.field('Reply').fill('Hello yourself');
    await bench.button('Send reply').click();
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

  test('everything, over stdio @firefox', async ({ visit }) => {
    const { command, args } = CATALOG.find(({ name }) => name === 'everything')!;
    const { page } = await visit(['--', command, ...args]);
    await everything(page);
  });

  test('everything, over Streamable HTTP', async ({ visit, serve }) => {
    const { url } = await serve('everything');
    const { page } = await visit([url]);
    await everything(page);
  });

  for (const over of ['stdio', 'HTTP']) {
    test(`a modern server asks in two rounds over ${over}`, async ({ visit, serve }) => {
      const { command, args } = CATALOG.find(({ name }) => name === 'modern-reject')!;
      const { page } = await visit(over === 'stdio' ? ['--', command, ...args] : [(await serve('modern-reject')).url]);
      const bench = new Workbench(page);
      await bench.connected();
      await askedBy(bench, 'ask');
      await expect(bench.field('n')).toHaveValue('3');
      await bench.button('Accept').click();
      await expect(bench.region('Outcome')).toContainText('"form" was answered');
      await page.getByRole('option', { name: 'sampling/createMessage' }).click();
      await bench.field('Reply').fill('It.');
      await bench.button('Send reply').click();
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
      await bench.button('Open in the Inbox').click();
      await bench.button('Cancel the call').click();
      await expect(bench.region('Outcome')).toContainText('you cancelled the request');
    });
  }
});
