import { readFileSync } from 'node:fs';
import { demoCommand, expect } from './bin';
import { test as base } from './shared-bin';
import { Workbench } from './workbench';

const test = base.extend<{ bench: Workbench }>({
  /** `bench` is the page, connected to the demo server. */
  bench: async ({ visit }, use) => {
    const { page } = await visit(['--', ...demoCommand()]);
    const bench = new Workbench(page);
    await bench.connected();
    await use(bench);
  },
});

/** Returns the arguments of the newest call as sent on the wire. */
async function sentArguments(bench: Workbench): Promise<string | undefined> {
  return /"arguments":(.*?)(?:,"_meta":.*)?}}$/s.exec(await bench.wire('request'))?.[1];
}

async function call(bench: Workbench, outcome = 'ok'): Promise<void> {
  await bench.call();
  await expect(bench.outcome).toContainText(outcome);
}

test('the list has a search; a tool shows hints and schemas', async ({ bench }) => {
  const { page } = bench;
  await page.getByRole('searchbox', { name: /^Search / }).fill('log entry');
  const options = page.getByRole('listbox', { name: 'tools' }).getByRole('option');
  await expect(options.first()).toContainText('write_entry');
  await bench.tool('erase_entry');
  await expect(page.getByTitle('The server declares destructiveHint: true')).toHaveText(/destructive$/);
  await bench.tool('read_instruments');
  await expect(page.getByText('read-only', { exact: true })).toBeVisible();
  await bench.schema();
  const schema = bench.region('outputSchema');
  await expect(schema.getByText('barometer_hpa').first()).toBeVisible();
});

test('a destructive tool asks before each call, until told not to for this server', async ({ bench }) => {
  const { page } = bench;
  const question = page.getByRole('dialog', { name: 'Call a destructive tool?' });
  await bench.tool('erase_entry');
  // Nothing is asked while the arguments are invalid.
  await page.keyboard.press('ControlOrMeta+Enter');
  await expect(bench.field('number')).toBeFocused();
  await expect(page.getByText('Not called. Correct it, or call again')).toBeVisible();
  await expect(question).toBeHidden();
  await page.keyboard.type('7');
  await page.keyboard.press('ControlOrMeta+Enter');
  await expect(page.getByText('Not called. Correct it, or call again')).toBeVisible();
  await page.keyboard.press('ControlOrMeta+Enter');
  await expect(question).toContainText('erase_entry');
  await expect(question.getByRole('region', { name: 'Arguments' })).toContainText('7');
  await page.keyboard.press('Escape');
  await expect(question).toBeHidden();
  await expect(bench.result).toContainText('Call the tool to see its result');

  await bench.call();
  await expect(question).toBeVisible();
  // What was typed for a field answers nothing.
  await page.keyboard.press('Enter');
  await page.keyboard.press(' ');
  await expect(question).toBeVisible();
  await question.getByRole('button', { name: 'Call erase_entry' }).click();
  await expect(question).toBeHidden();
  await expect(bench.outcome).toContainText('isError');

  await bench.wire('request');
  await bench.detail.getByRole('button', { name: 'Resend' }).click();
  await question.getByRole('checkbox', { name: 'Don’t ask again for this server' }).check();
  await bench.agree();
  const sent = bench.result.getByRole('button', { name: /^request #/ });
  const before = await sent.getAttribute('title');
  await bench.call();
  await expect(sent).not.toHaveAttribute('title', before!);
  await expect(question).toBeHidden();

  await bench.tool('write_entry');
  await bench.call();
  await expect(bench.outcome).toBeVisible();
});

test('an untouched form sends {}; defaults are placeholders; a boolean has three states', async ({ bench }) => {
  await bench.tool('set_lamp');
  await expect(bench.field('brightness')).toHaveAttribute('placeholder', 'default 80');
  await expect(bench.field('brightness')).toHaveValue('');
  await call(bench);
  expect(await sentArguments(bench)).toBe('{}');

  const lit = bench.choice('lit');
  await expect(lit.getByRole('option')).toHaveText(['— (default true)', 'true', 'false']);
  await lit.selectOption('false');
  await call(bench);
  await expect.poll(() => sentArguments(bench)).toBe('{"lit":false}');
  await lit.selectOption({ index: 0 });
  await call(bench);
  await expect.poll(() => sentArguments(bench)).toBe('{}');
});

test('a required text and choices: sends what is set, lets the server refuse what is missing', async ({ bench }) => {
  await bench.tool('write_entry');
  await bench.call();
  await expect.poll(() => sentArguments(bench)).toBe('{}');
  await expect(bench.outcome).toContainText(/error/i);
  await bench.field('text').fill('Two lines,\n"quoted".');
  await expect(bench.choice('weather').getByRole('option').first()).toHaveText('— (default clear)');
  await bench.choice('weather').selectOption('fog');
  const keeper = bench.choice('keeper').getByRole('option').nth(1);
  await bench.choice('keeper').selectOption({ index: 1 });
  await call(bench);
  expect(JSON.parse((await sentArguments(bench))!)).toEqual({
    text: 'Two lines,\n"quoted".',
    keeper: await keeper.innerText(),
    weather: 'fog',
  });
});

test('numbers as people type them; a wrong type is flagged and sent', async ({ bench }) => {
  await bench.tool('copy_archive');
  await bench.field('bytes').fill('1e3');
  await call(bench);
  expect(await sentArguments(bench)).toBe('{"bytes":1e3}');
  await expect(bench.result).toContainText('All is well');

  await bench.field('bytes').fill('many');
  await expect(bench.field('bytes')).toHaveAttribute('aria-invalid', 'true');
  await bench.call();
  await expect.poll(() => sentArguments(bench)).toBe('{"bytes":"many"}');
  await expect(bench.outcome).toContainText(/error/i);
});

test('nested objects; lists that grow and shrink @firefox', async ({ bench }) => {
  await bench.tool('plan_passage');
  const vessel = bench.group('vessel');
  await vessel.getByRole('textbox', { name: 'name', exact: true }).first().fill('Tern');
  await vessel.getByRole('group', { name: 'tender' }).getByRole('button', { name: 'Set object', exact: true }).click();
  await vessel.getByRole('textbox', { name: 'seats', exact: true }).fill('4');
  const waypoints = bench.group('waypoints');
  const places = [
    [58.2, -6.4],
    [0, 0],
    [56.4, -5.5],
  ];
  for (const [index, [lat, lon]] of places.entries()) {
    await waypoints.getByRole('button', { name: 'Add item' }).click();
    const item = bench.group(`waypoints[${index}]`);
    await item.getByRole('button', { name: 'Set object', exact: true }).click();
    await item.getByRole('textbox', { name: 'lat', exact: true }).fill(String(lat));
    await item.getByRole('textbox', { name: 'lon', exact: true }).fill(String(lon));
  }
  await bench.group('waypoints[1]').getByRole('button', { name: 'Remove', exact: true }).click();
  await call(bench);
  expect(JSON.parse((await sentArguments(bench))!)).toEqual({
    vessel: { name: 'Tern', tender: { seats: 4 } },
    waypoints: [{ position: { lat: 58.2, lon: -6.4 } }, { position: { lat: 56.4, lon: -5.5 } }],
  });
  await expect(bench.region('structuredContent')).toContainText('total_miles');
});

test('form and JSON edit one document; invalid JSON is kept @firefox', async ({ bench }) => {
  const { page } = bench;
  await bench.tool('echo');
  await bench.field('message').fill('from the form');
  await bench.button('JSON').click();
  await expect(bench.editor).toBeAttached();
  await expect(page.locator('.view-lines')).toContainText('from the form');
  await bench.edit('{"message": "from the editor", "anything": [1, {"deep": null}]}');
  await bench.button('Form').click();
  await expect(bench.field('message')).toHaveValue('from the editor');
  await expect(bench.field('anything')).toHaveValue(/"deep": null/);

  await bench.button('JSON').click();
  await bench.edit('{"message": "torn');
  await expect(page.getByText('The arguments are not JSON')).toBeVisible();
  await expect(bench.button('Call tool')).toBeDisabled();
  await bench.button('Form').click();
  await bench.button('JSON').click();
  await expect(page.locator('.view-lines')).toContainText('"torn');
  await bench.edit('{"message":   "fixed", "message": "twice"}');
  await page.keyboard.press('ControlOrMeta+Enter');
  await expect(bench.outcome).toContainText('ok');
  // A stdio line has no unneeded spaces; everything else is sent as typed.
  expect(await sentArguments(bench)).toBe('{"message":"fixed","message":"twice"}');
});

test('an integer beyond 2^53 keeps its digits from the editor to the wire and back', async ({ bench }) => {
  await bench.tool('count_waves');
  await bench.button('JSON').click();
  await bench.edit('{"waves": 9007199254740993}');
  await call(bench);
  expect(await sentArguments(bench)).toBe('{"waves":9007199254740993}');
  expect(await bench.wire('response')).toContain('"structuredContent":{"waves":9007199254740993}');
  await expect(bench.result).toContainText('9007199254740993 waves');
  await bench.button('Form').click();
  await expect(bench.field('waves')).toHaveValue('9007199254740993');
  await bench.field('waves').fill('90071992547409931');
  await call(bench);
  await expect.poll(() => sentArguments(bench)).toBe('{"waves":90071992547409931}');
});

test('a default beyond 2^53 is shown with every digit', async ({ bench }) => {
  await bench.tool('count_waves');
  await expect(bench.field('waves')).toHaveAttribute('placeholder', 'default 9007199254740993');
});

test('an integer beyond 2^53 keeps its digits in structuredContent and in the detail', async ({ bench }) => {
  await bench.tool('count_waves');
  await bench.field('waves').fill('9007199254740993');
  await call(bench);
  await expect(bench.region('structuredContent')).toContainText('9007199254740993');
  await bench.result.getByRole('button', { name: /^request #/ }).click();
  await expect(bench.detail).toContainText('waves: 9007199254740993');
});

test('every kind of content is shown by its type', async ({ bench }) => {
  const { page } = bench;
  await bench.tool('send_postcard');
  await call(bench);
  const { result } = bench;
  await expect(result).toContainText('Greetings from **Skerry Light**.');
  await expect(result.getByRole('img', { name: /^image\/png/ })).toBeVisible();
  await expect(result).toContainText('240 × 160');
  await expect(result.locator('audio')).toHaveAttribute('controls');
  await expect(result.getByRole('region', { name: 'light://notice' })).toContainText('mind the third step');
  await expect(result.getByRole('region', { name: 'light://key.bin' })).toContainText('ca fe 00 01 02 ff');
  const download = page.waitForEvent('download');
  await result.getByRole('region', { name: 'light://notice' }).getByRole('button', { name: 'Download' }).click();
  expect(readFileSync(await (await download).path(), 'utf8')).toBe('Visitors: mind the third step.');

  await result.getByRole('button', { name: 'Open in Resources' }).click();
  await expect(bench.entryGroup('Resources')).toHaveAttribute('data-current');
  await expect(bench.result.getByRole('img', { name: /^image\/png/ })).toBeVisible();
});

test('a tool error and a protocol error look different; the latter has code and data', async ({ bench }) => {
  await bench.tool('row_in_gale');
  await call(bench, 'isError');
  await expect(bench.result).toContainText('The boat came back');
  await bench.tool('drop_lens');
  await call(bench, 'error −32603');
  await expect(bench.result).toContainText('−32603');
  await expect(bench.result).toContainText('The lens is in pieces');
  await expect(bench.result).toContainText(/pieces\D*1024/);
  await bench.tool('mutter');
  await call(bench);
  await bench.panel('Server');
  await expect(bench.region('stderr')).toContainText('who moved the oil can (3)');
});

test('progress is shown live; Cancel notifies the server', async ({ bench }) => {
  await bench.tool('climb_tower');
  await bench.field('steps').fill('1000');
  await bench.field('delay_ms').fill('20');
  await bench.call();
  await expect(bench.result.getByRole('progressbar')).toHaveAttribute('aria-valuemax', '1000');
  await expect(bench.result).toContainText(/[2-9] of 1000/);
  await bench.button('Cancel').click();
  await expect(bench.outcome).toContainText('cancelled');
  await expect(bench.button('Cancel')).toBeHidden();
  await bench.filter('notifications/cancelled');
  await expect(bench.rows).toHaveCount(1);
});

test('a call that times out says so and notifies the server', async ({ bench }) => {
  await bench.tool('wait_for_ship');
  await bench.button('More actions').click();
  await bench.page.getByRole('menuitem', { name: /^Timeout/ }).click();
  await bench.field('Timeout').fill('0.2');
  await call(bench, 'timed out');
  await bench.filter('timeout');
  await expect(bench.rows.filter({ hasText: /timeout: tools\/call after \d+ ms/ })).toHaveCount(1);
  await bench.filter('notifications/cancelled');
  await expect(bench.rows).toHaveCount(1);
});

test('Ctrl+Enter calls from a field; the result is still there after a reload @firefox', async ({ bench }) => {
  const { page } = bench;
  await bench.tool('echo');
  await bench.field('message').fill('again');
  await bench.field('message').press('ControlOrMeta+Enter');
  await expect(bench.outcome).toContainText('ok');
  await expect(bench.result).toContainText(/\d (µs|ms)/);
  const before = await bench.result.innerText();
  await page.reload();
  await expect(bench.result).toHaveText(before, { useInnerText: true });
  await expect(bench.field('message')).toHaveValue('again');
  expect(await sentArguments(bench)).toMatch(/^\{\s*"message":\s*"again"\s*\}$/);
});

test('a server that dies during a call: the call has no response, its stderr is kept and quoted', async ({ bench }) => {
  await bench.tool('fall_into_sea');
  await bench.call();
  await bench.agree();
  await expect(bench.outcome).toContainText('no response');
  await expect(bench.page.getByRole('status').filter({ hasText: 'exited with code 1' })).toContainText('mind the ed');
  await bench.panel('Server');
  await expect(bench.region('Process')).toContainText('exited with code 1');
  await expect(bench.region('stderr')).toContainText('[keeper] mind the ed');
});

test('a changed tool list is listed again automatically', async ({ visit }) => {
  const { page } = await visit(['--protocol', '2025-11-25', '--', ...demoCommand()]);
  const bench = new Workbench(page);
  await bench.connected();
  await bench.tool('change_watch');
  await bench.choice('watch').selectOption('night');
  await call(bench);
  await page.getByRole('searchbox', { name: /^Search / }).fill('count_stars');
  const options = page.getByRole('listbox', { name: 'tools' }).getByRole('option');
  await expect(options.first()).toContainText('count_stars');
});
