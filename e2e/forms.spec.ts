import { join } from 'node:path';
import { test as base, expect } from './bin';
import { Workbench } from './workbench';

/** The page, connected to the server that echoes. */
const test = base.extend<{ bench: Workbench }>({
  bench: async ({ open }, use) => {
    const server = join(import.meta.dirname, 'servers/forms-server.mjs');
    const { page } = await open(['--protocol', '2025-11-25', '--', process.execPath, server]);
    const bench = new Workbench(page);
    await bench.connected();
    await use(bench);
  },
});

/** Opens a tool by its exact name, which several may share. */
async function open(bench: Workbench, name: string): Promise<void> {
  await bench.page.getByRole('searchbox', { name: 'Search tools' }).fill(name);
  await bench.page.getByRole('listbox', { name: 'tools' }).getByRole('option').first().click();
  await expect(bench.page.getByRole('heading', { level: 2, name })).toBeVisible();
}

/** Calls the tool; the arguments as they were on the wire, and that the server got the same bytes. */
async function sent(bench: Workbench): Promise<string | undefined> {
  const before = await bench.result.getByRole('button', { name: /^request #/ }).allInnerTexts();
  await bench.call();
  await expect(bench.result.getByRole('button', { name: /^request #/ })).not.toHaveText(before[0] ?? 'none');
  await expect(bench.outcome).not.toContainText('in flight');
  const line = await bench.wire('request');
  return /"params":\{"name":"[^"]*"(?:,"arguments":(.*?))?(?:,"_meta":.*)?\}\}$/s.exec(line)?.[1];
}

async function more(bench: Workbench, field: string, action: string): Promise<void> {
  const { page } = bench;
  await page
    .locator(`[data-field='${JSON.stringify([field])}']`)
    .getByRole('button', { name: 'More' })
    .first()
    .click();
  await page.getByRole('menuitem', { name: action }).click();
}

async function view(bench: Workbench, name: 'Form' | 'JSON'): Promise<void> {
  await bench.group('View of the arguments').getByRole('button', { name }).click();
}

async function fill(bench: Workbench, item: string): Promise<void> {
  await bench.button('Fill').click();
  await bench.page.getByRole('menuitem', { name: item }).click();
}

test('what is unset is not sent, in any shape; what is required is not filled in; nothing blocks', async ({
  bench,
}) => {
  await open(bench, 'unset');
  await expect(bench.button('3 problems')).toBeVisible();
  expect(await sent(bench)).toBe('{}');
  // Typed and cleared stays an empty text; × unsets it.
  await bench.field('s').fill('x');
  await bench.field('s').fill('');
  expect(await sent(bench)).toBe('{"s":""}');
  await bench.page.locator(`[data-field='["s"]']`).getByRole('button', { name: 'Unset' }).click();
  expect(await sent(bench)).toBe('{}');
  await fill(bench, 'Defaults of the schema');
  expect(await sent(bench)).toBe('{"d":"dv","z":null}');
});

test('seven ways to be wrong on purpose', async ({ bench }) => {
  await open(bench, 'strict');
  expect(await sent(bench)).toBe('{}');
  await more(bench, 'name', 'null');
  expect(await sent(bench)).toBe('{"name":null}');
  await bench.field('n').fill('abc');
  expect(await sent(bench)).toBe('{"name":null,"n":"abc"}');
  await bench.button('+ property').click();
  await bench.field('New property').fill('extra');
  await bench.button('Add').click();
  expect(await sent(bench)).toBe('{"name":null,"n":"abc","extra":""}');
  await more(bench, 'e', 'Wrong type');
  expect(await sent(bench)).toBe('{"name":null,"n":"abc","extra":"","e":12345}');
  await expect(bench.button('4 problems')).toBeVisible();
  await fill(bench, 'Clear');
  await more(bench, 'name', 'Empty string');
  expect(await sent(bench)).toBe('{"name":""}');
  await fill(bench, 'Send no arguments at all');
  expect(await sent(bench)).toBeUndefined();
  await view(bench, 'JSON');
  await bench.edit('[1, "not an object"]');
  expect(await sent(bench)).toBe('[1,"not an object"]');
});

test('numbers: 1e3 is 1000; digits beyond doubles reach the server', async ({ bench }) => {
  await open(bench, 'big_numbers');
  await expect(bench.field('id')).toHaveAttribute('placeholder', 'default 9007199254740993');
  await bench.field('id').fill('18446744073709551615');
  await bench.field('neg').fill('-9223372036854775808');
  await bench.field('f').fill('1e3');
  expect(await sent(bench)).toBe('{"id":18446744073709551615,"neg":-9223372036854775808,"f":1000}');
  await expect(bench.result).toContainText('18446744073709551615');
  await view(bench, 'JSON');
  await bench.edit('{"10": 1E400, "f": 0.10, "2": 1.50}');
  await view(bench, 'Form');
  await bench.field('id').fill('9007199254740993');
  expect(await sent(bench)).toBe('{"10":1E400,"f":0.10,"2":1.50,"id":9007199254740993}');
});

test('unions by their titles; each branch keeps what was typed; the branch of a value is found', async ({ bench }) => {
  const { page } = bench;
  await open(bench, 'pets');
  const kinds = page.getByRole('group', { name: 'Kind of pet' });
  await page.getByRole('group', { name: 'pet', exact: true }).getByRole('button', { name: 'pet', exact: true }).click();
  await expect(kinds.getByRole('button')).toHaveText(['Cat', 'Dog']);
  await bench.field('lives').fill('9');
  await kinds.getByRole('button', { name: 'Dog' }).click();
  expect(await sent(bench)).toBe('{"pet":{"kind":"dog"}}');
  await kinds.getByRole('button', { name: 'Cat' }).click();
  expect(await sent(bench)).toBe('{"pet":{"lives":9}}');
  await expect(bench.field('word')).toBeVisible();
  await view(bench, 'JSON');
  await bench.edit('{"pet":{"kind":"dog","tricks":["sit"]}}');
  await view(bench, 'Form');
  await expect(kinds.getByRole('button', { name: 'Dog' })).toHaveAttribute('aria-pressed', 'true');
  await expect(bench.field('tricks[0]')).toHaveValue('sit');
});

test('a union at the root has fields; a nullable enum can be chosen and be null', async ({ bench }) => {
  await open(bench, 'root_union');
  await bench.button('kind: "sms"').click();
  await bench.field('phone').fill('112');
  expect(await sent(bench)).toBe('{"kind":"sms","phone":"112"}');
  await open(bench, 'nullable_enum');
  await bench.choice('level').selectOption('high');
  expect(await sent(bench)).toBe('{"level":"high"}');
  await bench.choice('level').selectOption('null');
  expect(await sent(bench)).toBe('{"level":null}');
});

test('lists that are reordered, maps, tuples, trees', async ({ bench }) => {
  const { page } = bench;
  await open(bench, 'lists');
  await bench.group('rows').getByRole('button', { name: 'rows', exact: true }).click();
  for (const text of ['one', 'two']) {
    await bench.group('rows').getByRole('button', { name: 'Add item' }).click();
    await bench.group('rows').getByRole('textbox', { name: 't' }).last().fill(text);
  }
  await bench.group('rows[1]').getByRole('button', { name: 'Move up' }).click();
  await bench.group('env').getByRole('button', { name: 'env', exact: true }).click();
  await bench.group('env').getByRole('textbox', { name: 'New property' }).fill('__proto__');
  await bench.group('env').getByRole('button', { name: 'Add' }).click();
  await page.getByRole('textbox', { name: '__proto__' }).fill('value');
  await bench.group('pair').getByRole('button', { name: 'pair', exact: true }).click();
  await bench.field('left').fill('L');
  await bench.field('right').fill('7');
  expect(await sent(bench)).toBe('{"rows":[{"t":"two"},{"t":"one"}],"env":{"__proto__":"value"},"pair":["L",7]}');
  await bench.group('tree').getByRole('button', { name: 'tree', exact: true }).click();
  await bench.group('kids').getByRole('button', { name: 'kids', exact: true }).click();
  await bench.group('kids').getByRole('button', { name: 'Add item' }).click();
  await bench.group('kids[0]').getByRole('textbox', { name: 'v' }).fill('leaf');
  expect(await sent(bench)).toContain('"tree":{"kids":[{"v":"leaf"}]}');
});

test('choices: searched when many, titled, several at once, suggested; now; examples and samples', async ({
  bench,
}) => {
  const { page } = bench;
  await open(bench, 'picks');
  await bench.choice('zone').fill('zone-42');
  await page.getByRole('option', { name: 'zone-42' }).click();
  await bench.choice('color').selectOption('Green — #0f0');
  await bench.group('days').getByRole('button', { name: 'days', exact: true }).click();
  await page.getByRole('checkbox', { name: 'we' }).check();
  await page.getByRole('checkbox', { name: 'mo' }).check();
  await bench.choice('model').fill('my own');
  expect(await sent(bench)).toBe('{"zone":"zone-42","color":"#0f0","days":["we","mo"],"model":"my own"}');
  await bench.button('Now').click();
  await expect(bench.field('when')).toHaveValue(/^\d{4}-\d\d-\d\dT/);
  const chooser = page.waitForEvent('filechooser');
  await bench.button('File…').click();
  await (await chooser).setFiles({
    name: 'a.bin',
    mimeType: 'application/octet-stream',
    buffer: Buffer.from([1, 2, 3]),
  });
  await expect(bench.field('photo_base64')).toHaveValue('AQID');
  await fill(bench, 'Example');
  expect(await sent(bench)).toBe('{"color":"#f00"}');
  await fill(bench, 'Undo the last fill');
  await expect(bench.field('photo_base64')).toHaveValue('AQID');
  await fill(bench, 'Sample: all');
  await expect(bench.field('when')).not.toHaveValue('');
  await expect(page.getByRole('status', { name: 'Problems' })).toHaveText('0 problems');
});

test('problems lead to their fields; so does what the server says', async ({ bench }) => {
  const { page } = bench;
  await open(bench, 'refuse');
  await view(bench, 'JSON');
  await bench.edit('{"user":{"age":"old"}}');
  await bench.button('1 problem').click();
  await page.getByRole('menuitem', { name: 'user.age: is string, should be integer' }).click();
  await expect(bench.field('age')).toBeFocused();
  await bench.call();
  await expect(page.locator(`[data-field='["user","age"]']`)).toContainText(
    'The server: Expected number, received string',
  );
  await expect(page.locator(`[data-field='["city"]']`)).toContainText('The server: Required');
  await bench.field('city').fill('Wick');
  await expect(page.locator(`[data-field='["city"]']`)).not.toContainText('The server');
  await open(bench, 'complain');
  await bench.call();
  await expect(page.locator(`[data-field='["city"]']`)).toContainText('The server: ');
});

test('a pattern that takes for ever is stopped; an unknown dialect is told; the form works on', async ({ bench }) => {
  await open(bench, 'slow_pattern');
  await bench.field('p').fill(`${'a'.repeat(40)}!`);
  await expect(bench.page.getByText(/could not be checked: it took longer than/)).toBeVisible();
  await bench.field('p').fill('b');
  expect(await sent(bench)).toBe('{"p":"b"}');
  await open(bench, 'dialect');
  await expect(bench.page.getByText(/could not be checked: its dialect/)).toBeVisible();
});

test('malformed tools are listed with their problem, open as JSON and can be called', async ({ bench }) => {
  const options = bench.page.getByRole('listbox', { name: 'tools' }).getByRole('option');
  await bench.page.getByRole('searchbox', { name: 'Search tools' }).fill('unset');
  await expect(options).toHaveCount(2);
  await open(bench, 'no_schema');
  await expect(bench.editor).toBeAttached();
  await bench.edit('{"anything":1}');
  expect(await sent(bench)).toBe('{"anything":1}');
  await open(bench, 'props_null');
  await expect(bench.page.getByText('This tool is malformed.')).toBeVisible();
  await expect(bench.editor).toBeAttached();
  expect(await sent(bench)).toBe('{}');
});

test('names that mean something to JavaScript are fields like others', async ({ bench }) => {
  await open(bench, 'hostile_names');
  await bench.field('__proto__').fill('p');
  await bench.field('constructor').fill('c');
  await bench.field('a.b').fill('d');
  expect(await sent(bench)).toBe('{"__proto__":"p","constructor":"c","a.b":"d"}');
  expect(await bench.page.evaluate(() => Object.keys(Object.prototype))).toEqual([]);
});

test('by keyboard: into the first required field of 730, ⌘↵ calls; saved and recent arguments come back', async ({
  bench,
}) => {
  const { page } = bench;
  await open(bench, 'wide');
  await page.getByRole('searchbox', { name: 'Search tools' }).press('Enter');
  await expect(bench.field('p700')).toBeFocused();
  await page.keyboard.type('far down');
  await page.keyboard.press('ControlOrMeta+Enter');
  await expect(bench.outcome).toContainText('ok');
  await bench.button('History').click();
  await page.getByRole('menuitem', { name: 'Save these' }).click();
  await page.getByRole('textbox', { name: 'Save the arguments as' }).fill('my call');
  await page.keyboard.press('Enter');
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
  await fill(bench, 'Clear');
  await bench.button('History').click();
  await expect(page.getByRole('menuitem', { name: '{"p700":"far down"}' })).toBeVisible();
  await page.getByRole('menuitem', { name: 'my call' }).click();
  await expect(bench.field('p700')).toHaveValue('far down');
});

test('16 levels down', async ({ bench }) => {
  await open(bench, 'deep');
  await view(bench, 'JSON');
  let text = '"bottom"';
  for (let level = 1; level <= 16; level++) text = `{"l${level}":${text}}`;
  await bench.edit(text);
  await view(bench, 'Form');
  await bench.field('l1').fill('changed');
  expect(await sent(bench)).toBe(text.replace('bottom', 'changed'));
});

test('thousands of open fields: only those about to be seen are drawn; any is reached', async ({ bench }) => {
  const { page } = bench;
  await open(bench, 'huge');
  const inner = Array.from({ length: 30 }, (_, at) => ({ t: `t${at}`, n: at }));
  const rows: object[] = Array.from({ length: 40 }, (_, at) => ({
    t: `row ${at}`,
    n: at === 35 ? 'thirty-five' : at,
    rows: inner,
  }));
  const form = page.locator('[data-form]');
  await form.evaluate((element, text) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text', text);
    element.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
  }, JSON.stringify({ rows }));
  const field = (...keys: (string | number)[]) => page.locator(`[data-field='${JSON.stringify(['rows', ...keys])}']`);
  await expect(field(0, 't').getByRole('textbox')).toHaveValue('row 0');
  // There are more than 4,000.
  await expect(form.locator('[data-undrawn]')).not.toHaveCount(0);
  expect(await form.locator('[data-field]').count()).toBeLessThan(600);
  // The browser's search has the words of what is not drawn, and has it drawn.
  const words = form.locator('[data-undrawn] [hidden]').filter({ hasText: 'row 25' }).first();
  await expect(words).toHaveAttribute('hidden', 'until-found');
  await expect(async () => {
    // Within what was drawn may be parts that are not: the search goes on to them.
    await words.dispatchEvent('beforematch', {}, { timeout: 1000 });
    await expect(field(25, 't').getByRole('textbox')).toHaveValue('row 25', { timeout: 500 });
  }).toPass();
  // A problem far down is gone to.
  await bench.button('1 problem').click();
  await page.getByRole('menuitem', { name: 'is string, should be integer' }).click();
  await expect(field(35, 'n').getByRole('textbox')).toBeFocused();
});
