import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator, Page } from '@playwright/test';
import { expect } from './bin';
import { serversInstalled, test as withServers } from './http-servers';
import { accessFaults } from './page-faults';
import { Workbench } from './workbench';

const EVERYTHING = join(
  import.meta.dirname,
  'servers/node_modules/@modelcontextprotocol/server-everything/dist/index.js',
);

/** `bench` is a page connected to server-everything over stdio. */
const test = withServers.extend<{ bench: Workbench }>({
  bench: async ({ visit }, use) => {
    const { page } = await visit(['--', process.execPath, EVERYTHING, 'stdio']);
    const bench = new Workbench(page);
    await bench.connected();
    await use(bench);
  },
});
test.skip(!serversInstalled, 'needs the real servers: run `npm ci` in e2e/servers');

const HOLD_CALLS = 'Hold every tools/call';

/** Opens the panel and adds one of the usual rules, which is on at once. */
async function addRule(bench: Workbench, name: string): Promise<void> {
  await bench.panel('Hold');
  await bench.button(name).click();
  await expect(bench.page.getByRole('checkbox', { name })).toBeChecked();
}

/** Calls the tool `echo`, whose result does not arrive while something is held. */
async function echo(bench: Workbench, message: string): Promise<void> {
  await bench.tool('echo');
  await bench.field('message').fill(message);
  await bench.call();
}

/** The messages that wait, in the panel. */
function waiting(bench: Workbench): Locator {
  return bench.page
    .getByRole('listbox', { name: 'held messages' })
    .getByRole('option')
    .filter({ hasText: /^(?!Rules|Intercepted)/ });
}

/** Shows the held messages by the banner. */
async function showHeld(bench: Workbench): Promise<void> {
  await bench.page.getByRole('region', { name: 'Held messages' }).getByRole('button', { name: 'Show' }).click();
  await expect(bench.region('Held message')).toBeVisible();
}

/** Returns the id of the first held message. */
async function heldId(bench: Workbench): Promise<string> {
  return /id (\d+)/.exec(await waiting(bench).first().innerText())![1]!;
}

function callText(id: string, message: string): string {
  return `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"name":"echo","arguments":{"message":"${message}"}}}`;
}

test('a held call is edited and released, and the log has both forms @firefox', async ({ bench }) => {
  await addRule(bench, HOLD_CALLS);
  await echo(bench, 'Hello');
  await showHeld(bench);
  await expect(bench.editor).toBeAttached();
  await bench.edit(callText(await heldId(bench), 'Bye'));
  await bench.button('Release edited').click();
  await expect(bench.region('Outcome').getByRole('status')).toContainText('changed');
  await bench.tool('echo');
  await expect(bench.outcome).toContainText('ok');
  await expect(bench.result).toContainText('Echo: Bye');
  await expect(bench.result).toContainText(/Request edited by Hold after [\d.]+ s/);
  await bench.filter('channel:intercept');
  await expect(bench.rows).toHaveCount(1);
  await bench.rows.first().click();
  expect(await bench.raw()).toContain('"message":"Hello"');
});

test('a usual rule holds at once, and is undone or edited', async ({ bench }) => {
  const { page } = bench;
  await bench.panel('Hold');
  await bench.button(HOLD_CALLS).click();
  const line = page.getByRole('status').filter({ hasText: `“${HOLD_CALLS}” is on` });
  await expect(line).toBeVisible();
  await expect(page.getByRole('form')).toHaveCount(0);
  await echo(bench, 'Hello');
  await showHeld(bench);
  await bench.panel('Hold');
  await page.getByRole('option', { name: /^Rules/ }).click();
  await page.getByRole('checkbox', { name: HOLD_CALLS }).uncheck();
  await page.getByRole('checkbox', { name: HOLD_CALLS }).check();
  await bench.button(`Delete ${HOLD_CALLS}`).click();

  await bench.button(HOLD_CALLS).click();
  await line.getByRole('button', { name: 'Edit' }).click();
  const form = page.getByRole('form', { name: `Edit ${HOLD_CALLS}` });
  await form.getByRole('combobox', { name: 'Messages that match' }).fill('tool:add');
  await form.getByRole('button', { name: 'Save rule' }).click();
  await echo(bench, 'Passes');
  await expect(bench.result).toContainText('Echo: Passes');

  await bench.panel('Hold');
  await bench.button(`Delete ${HOLD_CALLS}`).click();
  await bench.button(HOLD_CALLS).click();
  await line.getByRole('button', { name: 'Undo' }).click();
  await expect(page.getByRole('heading', { name: 'Rules', exact: true })).toBeFocused();
  await expect(bench.button(HOLD_CALLS)).toBeVisible();
  await echo(bench, 'Passes too');
  await expect(bench.result).toContainText('Echo: Passes too');
});

test('a held message opens formatted, and is released byte for byte', async ({ bench }) => {
  const { page } = bench;
  const sent =
    '{"jsonrpc": "2.0",  "id":77,\t"method":"tools/call","params":{"name":"echo","arguments":{"message":"x"}}}';
  const lines = page.locator('.monaco-editor .view-line');
  await addRule(bench, HOLD_CALLS);
  await bench.panel('New message');
  await bench.edit(sent);
  await bench.button('Send').click();
  await showHeld(bench);
  await expect(lines.first()).toHaveText('{');
  expect(await lines.count()).toBeGreaterThan(3);
  await expect(bench.region('Held message')).toContainText('The receiver gets the message byte for byte');
  await bench.button('Show as sent').click();
  await expect(lines).toHaveCount(1);
  await bench.button('Format').click();
  // Only lines that shall be sent are an edit.
  const joins = page.getByRole('checkbox', { name: 'Send as one line' });
  await joins.uncheck();
  await expect(bench.button('Release edited')).toBeVisible();
  await joins.check();
  await bench.button('Release').click();
  await expect(bench.region('Outcome').getByRole('status')).toHaveText('✓ released');
  await bench.filter('channel:protocol dir:to-server id:77');
  await bench.rows.last().click();
  expect(await bench.raw()).toBe(sent);
});

test('a held call is answered with an error, or with a result', async ({ bench }) => {
  await addRule(bench, HOLD_CALLS);
  await echo(bench, 'Hello');
  await showHeld(bench);
  await bench.group('Release or answer').getByRole('button', { name: 'Error' }).click();
  await bench.field('Code').fill('x');
  await expect(bench.button('Answer with this error')).toHaveAttribute('aria-disabled', 'true');
  await bench.field('Code').fill('-32001');
  await bench.field('Message').fill('Broken on purpose');
  await bench.button('Answer with this error').click();
  await expect(bench.region('Outcome').getByRole('status')).toContainText('answered with an error');
  await bench.tool('echo');
  await expect(bench.outcome).toContainText('error');
  await expect(bench.result).toContainText('−32001');
  await expect(bench.result).toContainText('Broken on purpose');

  await bench.call();
  await showHeld(bench);
  await bench.group('Release or answer').getByRole('button', { name: 'Result' }).click();
  await expect(bench.editor).toBeAttached();
  await bench.edit('{"content":[{"type":"text","text":"Mine"}]}');
  await bench.button('Answer with this result').click();
  await bench.tool('echo');
  await expect(bench.result).toContainText('Mine');
});

test('text that is not JSON is marked and sent as it is', async ({ bench }) => {
  await addRule(bench, HOLD_CALLS);
  await echo(bench, 'Hello');
  await showHeld(bench);
  await expect(bench.editor).toBeAttached();
  await bench.edit('{"id": oops');
  await expect(bench.region('Held message')).toContainText('! Not JSON. It is sent as it is');
  await bench.button('Release edited').click();
  await expect(bench.region('Outcome')).toBeVisible();
  await bench.filter('kind:junk dir:to-server');
  await bench.rows.first().click();
  expect(await bench.raw()).toBe('{"id": oops');
});

test('an edit stays while other messages arrive and are looked at', async ({ bench }) => {
  await addRule(bench, HOLD_CALLS);
  await echo(bench, 'one');
  await showHeld(bench);
  await expect(bench.editor).toBeAttached();
  const edited = callText(await heldId(bench), 'edited');
  await bench.edit(edited);
  for (const message of ['two', 'three']) await echo(bench, message);
  await bench.panel('Hold');
  await expect(waiting(bench)).not.toHaveCount(1);
  await waiting(bench).last().click();
  await waiting(bench).first().click();
  await expect(bench.button('Release edited')).toBeVisible();
  await bench.button('Release edited').click();
  await bench.filter('channel:protocol dir:to-server edited');
  await expect(bench.rows).toHaveCount(1);
});

test('when the tab that holds is closed, messages are released and another tab sees it', async ({ bench }) => {
  const second = await bench.page.context().newPage();
  await second.goto(bench.page.url());
  const holding = new Workbench(second);
  await holding.connected();
  await addRule(holding, HOLD_CALLS);
  await echo(holding, 'Hello');
  await bench.panel('Hold');
  await expect(waiting(bench)).toHaveCount(1);
  await expect(bench.button('Hold')).toContainText('1');
  await second.close();
  await expect(waiting(bench)).toHaveCount(0);
  await bench.page.getByRole('option', { name: /^Intercepted/ }).click();
  await expect(bench.page.getByRole('list', { name: 'Intercepted messages' })).toContainText('its rule is gone');
  await bench.filter('Echo: Hello');
  await expect(bench.rows.filter({ hasText: /resultecho/ })).toHaveCount(1);
  await bench.filter('method:tools/call kind:request');
  await expect(bench.rows.first()).toContainText(', ok');
});

test('a reload releases what is held, and keeps the rules, which are off', async ({ bench }) => {
  await addRule(bench, HOLD_CALLS);
  await bench.page.reload();
  await bench.panel('Hold');
  await expect(bench.page.getByRole('checkbox', { name: HOLD_CALLS })).not.toBeChecked();
  await echo(bench, 'Hello');
  await expect(bench.outcome).toContainText('ok');
});

test('everything is held, looked at, released and dropped by keyboard', async ({ bench }) => {
  const { page } = bench;
  await bench.keys('g', 'h');
  await expect(bench.button('Hold everything')).toHaveAttribute('aria-pressed', 'false');
  await bench.command('Hold everything');
  await expect(bench.button('Hold everything')).toHaveAttribute('aria-pressed', 'true');
  const banner = page.getByRole('region', { name: 'Held messages' });
  await echo(bench, 'Hello');
  await expect(banner).toContainText('1 message waiting for you');
  await bench.keys('g', 'h');
  await expect(bench.region('Held message')).toContainText('tools/call');
  // In the editor this edits text; at its start there is nothing to delete.
  await bench.editor.focus();
  await page.keyboard.press('Control+Home');
  await page.keyboard.press('Control+Shift+Backspace');
  await expect(bench.region('Held message')).toContainText('tools/call');
  await page.keyboard.press('ControlOrMeta+Enter');
  // The response is held as well, and shown.
  await expect(waiting(bench).filter({ hasText: 'response to tools/call' })).toHaveCount(1);
  await expect(bench.region('Held message')).toContainText('response to tools/call');
  await page.keyboard.press('Control+Shift+Backspace');
  await expect(bench.region('Outcome').getByRole('status')).toContainText('dropped');
  await bench.button('Hold everything').click();
  await expect(bench.button('Hold everything')).toHaveAttribute('aria-pressed', 'false');
});

test('all held messages are released by the palette, and when holding everything ends', async ({ bench }) => {
  await bench.command('Hold everything');
  await echo(bench, 'Hello');
  // The palette collects its commands when it opens, and this one is there only while a message is held.
  await expect(bench.region('Held messages')).toBeVisible();
  await bench.command('Release all held messages');
  await bench.command('Stop holding everything');
  await expect(bench.outcome).toContainText('ok');
});

test('rules stay in force when the server is restarted', async ({ bench }) => {
  await addRule(bench, HOLD_CALLS);
  await bench.restart();
  await expect(bench.top).toContainText('run 2');
  await bench.connected();
  await expect(bench.page.getByRole('checkbox', { name: HOLD_CALLS })).toBeChecked();
  await echo(bench, 'Hello');
  await showHeld(bench);
  await bench.panel('Hold');
  await bench.page.getByRole('option', { name: /^Rules/ }).click();
  await bench.page.getByRole('checkbox', { name: HOLD_CALLS }).uncheck();
  await bench.tool('echo');
  await expect(bench.outcome).toContainText('ok');
});

test('a rule is made from a message in the log', async ({ bench }) => {
  await echo(bench, 'Hello');
  await expect(bench.outcome).toContainText('ok');
  await bench.filter('method:tools/call kind:request');
  await bench.rows.first().click({ button: 'right' });
  await bench.page.getByRole('menuitem', { name: 'Hold messages like this…' }).click();
  const form = bench.page.getByRole('form', { name: 'New rule' });
  await expect(form.getByRole('combobox', { name: 'Messages that match' })).toHaveValue('method:tools/call tool:echo');
  await expect(bench.choice('Direction')).toHaveValue('to-server');
  await form.getByRole('button', { name: 'Add rule' }).click();
  await bench.button('Close detail').click();
  await echo(bench, 'Again');
  await expect(bench.page.getByRole('region', { name: 'Held messages' })).toContainText('1 message');
});

test('rules are moved by keyboard and by dragging, and one that takes nothing is marked', async ({ bench }) => {
  const { page } = bench;
  await addRule(bench, HOLD_CALLS);
  await bench.button('Add rule').click();
  await page.getByRole('menuitem', { name: 'Fail tool calls with -32603' }).click();
  const rules = page.getByRole('list', { name: 'Rules of this page' }).getByRole('listitem');
  await expect(rules.nth(1)).toContainText(`Takes nothing: “${HOLD_CALLS}” comes first`);
  expect(await accessFaults(page)).toEqual([]);

  const handle = bench.button('Move Fail tool calls with -32603');
  await handle.focus();
  await page.keyboard.press('ArrowUp');
  await expect(rules.nth(0)).toContainText('Fail tool calls');
  await expect(handle).toBeFocused();
  await expect(rules.nth(1)).toContainText('Takes nothing: “Fail tool calls with -32603” comes first');
  await echo(bench, 'Hello');
  await expect(bench.outcome).toContainText('error');

  await bench.panel('Hold');
  const [from, to] = [await handle.boundingBox(), await rules.nth(1).boundingBox()];
  await page.mouse.move(from!.x + 5, from!.y + 5);
  await page.mouse.down();
  await page.mouse.move(from!.x + 5, to!.y + to!.height - 2, { steps: 4 });
  await page.mouse.up();
  await expect(rules.nth(1)).toContainText('Fail tool calls');
  await echo(bench, 'Hello');
  await expect(bench.result).toContainText(`The request is held by rule “${HOLD_CALLS}”`);
  await bench.result.getByRole('button', { name: 'Show it' }).click();
  await expect(bench.region('Held message')).toContainText('tools/call');
});

test('a form with typed text comes back when another closes', async ({ bench }) => {
  const { page } = bench;
  await echo(bench, 'Hello');
  await bench.panel('Hold');
  await bench.button('Another rule…').click();
  await bench.field('Name').fill('Half typed');
  await bench.filter('method:tools/call kind:request');
  await bench.rows.first().click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'Hold messages like this…' }).click();
  await expect(page.getByText('back when this one closes: Half typed')).toBeVisible();
  await page.getByRole('form', { name: 'New rule' }).getByRole('button', { name: 'Add rule' }).click();
  await expect(bench.field('Name')).toHaveValue('Half typed');
});

test('rules are edited, turned off, exported, deleted and imported', async ({ bench }) => {
  const { page } = bench;
  await addRule(bench, 'Fail tool calls with -32603');
  const rule = page.getByRole('list', { name: 'Rules of this page' }).getByRole('listitem');
  await echo(bench, 'Hello');
  await expect(bench.outcome).toContainText('error');
  await bench.panel('Hold');
  await expect(rule).toContainText('took 1');

  await bench.button('Edit Fail tool calls with -32603').click();
  const form = page.getByRole('form', { name: 'Edit Fail tool calls with -32603' });
  const filter = form.getByRole('combobox', { name: 'Messages that match' });
  await filter.fill('duration:>5ms');
  await expect(form).toContainText('duration: is not known as a message passes');
  await filter.fill('tool:e');
  await page.getByRole('option', { name: 'tool:echo' }).click();
  await form.getByRole('button', { name: 'Save rule' }).click();
  await expect(rule).toContainText('tool:echo');

  const download = page.waitForEvent('download');
  await bench.button('Export').click();
  const file = await (await download).path();
  expect(JSON.parse(readFileSync(file, 'utf8')).rules).toMatchObject([{ when: 'tool:echo', action: { do: 'error' } }]);
  await bench.button('Delete Fail tool calls with -32603').click();
  await echo(bench, 'Hello');
  await expect(bench.result).toContainText('Echo: Hello');

  await bench.panel('Hold');
  await importFile(page, readFileSync(file, 'utf8'));
  await expect(rule.getByRole('checkbox')).not.toBeChecked();
  await importFile(page, '{"rules":[{"name":"x","action":{"do":"answer-from","file":"/etc/passwd"}}]}');
  await expect(bench.view.getByRole('alert')).toContainText('rules[0].action');
});

test('a deleted rule is put back at its place, and is in force again', async ({ bench }) => {
  const { page } = bench;
  await addRule(bench, 'Fail tool calls with -32603');
  await bench.button('Add rule').click();
  await page.getByRole('menuitem', { name: HOLD_CALLS }).click();
  const rules = page.getByRole('list', { name: 'Rules of this page' }).getByRole('listitem');
  await expect(rules).toHaveCount(2);
  await bench.button('Delete Fail tool calls with -32603').click();
  await expect(page.getByText('Deleted Fail tool calls with -32603')).toBeVisible();
  await expect(bench.button('Undo')).toBeFocused();
  expect(await accessFaults(page)).toEqual([]);
  await page.keyboard.press('Enter');
  await expect(rules.nth(0)).toContainText('Fail tool calls');
  await expect(page.getByRole('heading', { name: 'Rules', exact: true })).toBeFocused();
  await expect(bench.button('Undo')).toBeHidden();
  await echo(bench, 'Hello');
  await expect(bench.outcome).toContainText('error');
});

test('a file of rules says that only a page can hold messages', async ({ bench }) => {
  const { page } = bench;
  await addRule(bench, HOLD_CALLS);
  const download = page.waitForEvent('download');
  await bench.button('Export').click();
  await download;
  await expect(page.getByText('The file has rules that hold messages')).toBeVisible();
  await bench.button(`Delete ${HOLD_CALLS}`).click();
  await expect(page.getByText('The file has rules that hold messages')).toBeHidden();
});

async function importFile(page: Page, text: string): Promise<void> {
  const chooser = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Import…' }).click();
  await (await chooser).setFiles({ name: 'rules.json', mimeType: 'application/json', buffer: Buffer.from(text) });
}

test('messages of an ended connection are not held any more', async ({ bench }) => {
  await addRule(bench, HOLD_CALLS);
  await echo(bench, 'Hello');
  await showHeld(bench);
  await bench.disconnect();
  await expect(bench.region('Outcome')).toContainText('connection ended');
  await bench.page.getByRole('option', { name: /^Rules/ }).click();
  await expect(bench.page.getByRole('checkbox', { name: HOLD_CALLS })).toBeDisabled();
});

test('accessible: rules, the form, a held message, its answer and its outcome', async ({ bench }) => {
  // Nine scans of the page.
  test.slow();
  const { page } = bench;
  await bench.panel('Hold');
  await expect(bench.button(HOLD_CALLS)).toBeVisible();
  expect(await accessFaults(page), 'no rules').toEqual([]);
  await bench.button('Fail tool calls with -32603').click();
  await expect(bench.button('Undo')).toBeVisible();
  expect(await accessFaults(page), 'added').toEqual([]);
  await bench.button('Edit').click();
  await expect(bench.editor).toBeAttached();
  expect(await accessFaults(page), 'form').toEqual([]);
  await bench.button('Cancel').click();
  await bench.button('Delete Fail tool calls with -32603').click();
  await addRule(bench, HOLD_CALLS);
  expect(await accessFaults(page), 'rules').toEqual([]);
  await echo(bench, 'Hello');
  await expect(page.getByRole('region', { name: 'Held messages' })).toBeVisible();
  expect(await accessFaults(page), 'banner').toEqual([]);
  await showHeld(bench);
  await expect(bench.editor).toBeAttached();
  expect(await accessFaults(page), 'held').toEqual([]);
  await bench.group('Release or answer').getByRole('button', { name: 'Error' }).click();
  await bench.button('Delay…').click();
  expect(await accessFaults(page), 'answer').toEqual([]);
  await bench.button('Drop').click();
  await expect(bench.region('Outcome')).toBeVisible();
  expect(await accessFaults(page), 'outcome').toEqual([]);
  await page.getByRole('option', { name: /^Intercepted/ }).click();
  expect(await accessFaults(page), 'intercepted').toEqual([]);
});
