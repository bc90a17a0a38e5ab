import { expect, test } from './forms-page';

test('unset fields, and invalid arguments on purpose', async ({ bench }) => {
  await test.step('unset fields are not sent, required fields are not filled in, and problems do not block', async () => {
    await bench.openTool('unset');
    expect(await bench.sent()).toBe('{}');
    await expect(bench.invalid(3)).toBeVisible();
    // A cleared text is an empty string; × unsets it.
    await bench.field('s').fill('x');
    await bench.field('s').fill('');
    expect(await bench.sent()).toBe('{"s":""}');
    await bench.frame('s').getByRole('button', { name: 'Unset' }).click();
    expect(await bench.sent()).toBe('{}');
    await bench.pick('Fill', 'Schema defaults');
    expect(await bench.sent()).toBe('{"d":"dv","z":null}');
  });

  await test.step('invalid arguments can be sent on purpose in seven ways', async () => {
    await bench.openTool('strict');
    expect(await bench.sent()).toBe('{}');
    await bench.more('name', 'null');
    expect(await bench.sent()).toBe('{"name":null}');
    await bench.field('n').fill('abc');
    expect(await bench.sent()).toBe('{"name":null,"n":"abc"}');
    await bench.pick('More actions', 'Add a field…');
    await bench.field('New field').fill('extra');
    await bench.button('Add').click();
    await bench.more('extra', 'Empty string');
    expect(await bench.sent()).toBe('{"name":null,"n":"abc","extra":""}');
    await bench.more('e', 'Set a wrong type');
    expect(await bench.sent()).toBe('{"name":null,"n":"abc","extra":"","e":12345}');
    await expect(bench.invalid(4)).toBeVisible();
    await bench.pick('Fill', 'Clear');
    await bench.more('name', 'Empty string');
    expect(await bench.sent()).toBe('{"name":""}');
    await bench.pick('Fill', 'Send no arguments');
    expect(await bench.sent()).toBeUndefined();
    await bench.viewAs('JSON');
    await bench.edit('[1, "not an object"]');
    expect(await bench.sent()).toBe('[1,"not an object"]');
  });
});

test('numbers and unions', async ({ bench }) => {
  await test.step('numbers: the digits typed reach the server, also beyond double precision', async () => {
    await bench.openTool('big_numbers');
    await expect(bench.field('id')).toHaveAttribute('placeholder', 'default 9007199254740993');
    await bench.field('id').fill('18446744073709551615');
    await bench.field('neg').fill('-9223372036854775808');
    await bench.field('f').fill('1e3');
    expect(await bench.sent()).toBe('{"id":18446744073709551615,"neg":-9223372036854775808,"f":1e3}');
    await expect(bench.result).toContainText('18446744073709551615');
    await bench.viewAs('JSON');
    await bench.edit('{"10": 1E400, "f": 0.10, "2": 1.50}');
    await bench.viewAs('Form');
    await bench.field('id').fill('9007199254740993');
    expect(await bench.sent()).toBe('{"10":1E400,"f":0.10,"2":1.50,"id":9007199254740993}');
  });

  await test.step('unions: branches show titles, keep their input, and follow the value', async () => {
    const { page } = bench;
    await bench.openTool('pets');
    const kinds = page.getByRole('group', { name: 'Kind of pet' });
    await bench.unfold('pet');
    await expect(kinds.getByRole('button')).toHaveText(['Cat', 'Dog']);
    await bench.field('lives').fill('9');
    await kinds.getByRole('button', { name: 'Dog' }).click();
    expect(await bench.sent()).toBe('{"pet":{"kind":"dog"}}');
    await kinds.getByRole('button', { name: 'Cat' }).click();
    // The first value of a branch comes with what distinguishes it.
    expect(await bench.sent()).toBe('{"pet":{"kind":"cat","lives":9}}');
    await expect(bench.field('word')).toBeVisible();
    await bench.viewAs('JSON');
    await bench.edit('{"pet":{"kind":"dog","tricks":["sit"]}}');
    await bench.viewAs('Form');
    await expect(kinds.getByRole('button', { name: 'Dog' })).toHaveAttribute('aria-pressed', 'true');
    await expect(bench.field('tricks[0]')).toHaveValue('sit');
  });

  await test.step('a union at the root has fields; a nullable enum can be set and set to null', async () => {
    await bench.openTool('root_union');
    await bench.button('kind: "sms"').click();
    await bench.field('phone').fill('112');
    expect(await bench.sent()).toBe('{"kind":"sms","phone":"112"}');
    await bench.openTool('nullable_enum');
    await bench.choice('level').selectOption('high');
    expect(await bench.sent()).toBe('{"level":"high"}');
    await bench.choice('level').selectOption('null');
    expect(await bench.sent()).toBe('{"level":null}');
  });
});

test('lists, maps, tuples, deep objects, and names with a meaning in JavaScript', async ({ bench }) => {
  await test.step('reordered lists, maps, tuples, recursive objects', async () => {
    const { page } = bench;
    await bench.openTool('lists');
    await bench.unfold('rows');
    for (const text of ['one', 'two']) {
      await bench.group('rows').getByRole('button', { name: 'Add item' }).click();
      await bench.group('rows').getByRole('textbox', { name: 't' }).last().fill(text);
    }
    await bench.group('rows[1]').getByRole('button', { name: 'More' }).first().click();
    await page.getByRole('menuitem', { name: 'Move up' }).click();
    await bench.unfold('env');
    await bench.group('env').getByRole('textbox', { name: 'New field' }).fill('__proto__');
    await bench.group('env').getByRole('button', { name: 'Add' }).click();
    await page.getByRole('textbox', { name: '__proto__' }).fill('value');
    await bench.unfold('pair');
    await bench.field('left').fill('L');
    await bench.field('right').fill('7');
    expect(await bench.sent()).toBe('{"rows":[{"t":"two"},{"t":"one"}],"env":{"__proto__":"value"},"pair":["L",7]}');
    await bench.unfold('tree');
    await bench.unfold('kids');
    await bench.group('kids').getByRole('button', { name: 'Add item' }).click();
    await bench.group('kids[0]').getByRole('textbox', { name: 'v' }).fill('leaf');
    expect(await bench.sent()).toContain('"tree":{"kids":[{"v":"leaf"}]}');
  });

  await test.step('property names with a meaning in JavaScript are ordinary fields', async () => {
    await bench.openTool('hostile_names');
    await bench.field('__proto__').fill('p');
    await bench.field('constructor').fill('c');
    await bench.field('a.b').fill('d');
    expect(await bench.sent()).toBe('{"__proto__":"p","constructor":"c","a.b":"d"}');
    expect(await bench.page.evaluate(() => Object.keys(Object.prototype))).toEqual([]);
  });

  await test.step('edits 16 nested levels', async () => {
    await bench.openTool('deep');
    await bench.viewAs('JSON');
    let text = '"bottom"';
    for (let level = 1; level <= 16; level++) text = `{"l${level}":${text}}`;
    await bench.edit(text);
    await bench.viewAs('Form');
    await bench.field('l1').fill('changed');
    expect(await bench.sent()).toBe(text.replace('bottom', 'changed'));
  });
});

test('choices and samples, links from problems to fields, and malformed tools', async ({ bench }) => {
  await test.step('choices, suggestions, the current time, files, examples and samples', async () => {
    const { page } = bench;
    await bench.openTool('picks');
    await bench.choice('zone').fill('zone-42');
    await page.getByRole('option', { name: 'zone-42' }).click();
    await bench.choice('color').selectOption('Green — #0f0');
    await bench.unfold('days');
    await page.getByRole('checkbox', { name: 'we' }).check();
    await page.getByRole('checkbox', { name: 'mo' }).check();
    await bench.choice('model').fill('my own');
    expect(await bench.sent()).toBe('{"zone":"zone-42","color":"#0f0","days":["we","mo"],"model":"my own"}');
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
    await bench.pick('Fill', 'Example');
    expect(await bench.sent()).toBe('{"color":"#f00"}');
    await bench.pick('Fill', 'Undo last fill');
    await expect(bench.field('photo_base64')).toHaveValue('AQID');
    await bench.more('when', 'Empty string');
    await bench.call();
    await expect(bench.invalid(1)).toBeVisible();
    await bench.pick('Fill', 'Sample: all');
    await expect(bench.field('when')).not.toHaveValue('');
    await expect(page.getByRole('status', { name: 'Invalid fields' })).toBeEmpty();
  });

  await test.step('problems link to their fields; so do the server’s errors', async () => {
    const { page } = bench;
    await bench.openTool('refuse');
    await bench.viewAs('JSON');
    await bench.edit('{"user":{"age":"old"}}');
    // The text is checked as a whole once it is left.
    await page.keyboard.press('Escape');
    await bench.invalid(1).click();
    await expect(bench.field('age')).toBeFocused();
    await expect(bench.field('age')).toHaveAccessibleDescription(/age is a string, expected an integer/);
    await bench.call();
    await expect(page.locator(`[data-field='["user","age"]']`)).toContainText(
      'The server: Expected number, received string',
    );
    await expect(bench.frame('city')).toContainText('The server: Required');
    await bench.field('city').fill('Wick');
    await expect(bench.frame('city')).not.toContainText('The server');
    await bench.openTool('complain');
    await bench.call();
    await expect(bench.frame('city')).toContainText('The server: ');
  });

  await test.step('malformed tools are listed, open as JSON and can be called', async () => {
    const options = bench.page.getByRole('listbox', { name: 'tools' }).getByRole('option');
    await bench.page.getByRole('searchbox', { name: /^Search / }).fill('unset');
    await expect(options).toHaveCount(2);
    await bench.openTool('no_schema');
    await expect(bench.editor).toBeAttached();
    await bench.edit('{"anything":1}');
    expect(await bench.sent()).toBe('{"anything":1}');
    await bench.openTool('props_null');
    await expect(bench.page.getByText('Malformed tool.')).toBeVisible();
    await expect(bench.editor).toBeAttached();
    expect(await bench.sent()).toBe('{}');
  });
});

test('a slow pattern, an unknown dialect, and 730 fields by keyboard', async ({ bench }) => {
  await test.step('a catastrophic pattern is stopped; an unknown dialect is reported; the form keeps working', async () => {
    await bench.openTool('slow_pattern');
    await bench.field('p').fill(`${'a'.repeat(40)}!`);
    await expect(bench.page.getByText(/could not be checked: it took longer than/)).toBeVisible();
    await bench.field('p').fill('b');
    expect(await bench.sent()).toBe('{"p":"b"}');
    await bench.openTool('dialect');
    await expect(bench.page.getByText(/could not be checked: unknown dialect/)).toBeVisible();
  });

  await test.step('by keyboard: Enter focuses the one required field of 730, ⌘↵ calls; History restores arguments', async () => {
    const { page } = bench;
    await bench.openTool('wide');
    await page.getByRole('searchbox', { name: /^Search / }).press('Enter');
    await expect(bench.field('p700')).toBeFocused();
    await page.keyboard.type('far down');
    await page.keyboard.press('ControlOrMeta+Enter');
    await expect(bench.outcome).toContainText('ok');
    await bench.pick('History', 'Save, import');
    await page.getByRole('textbox', { name: 'Save arguments as' }).fill('my call');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
    await bench.pick('Fill', 'Clear');
    await bench.button('History').click();
    await expect(page.getByRole('menuitem', { name: '{"p700":"far down"}' })).toBeVisible();
    await page.getByRole('menuitem', { name: 'my call' }).click();
    await expect(bench.field('p700')).toHaveValue('far down');
  });
});

test('thousands of open fields: only those near the viewport are drawn; every one can be reached', async ({
  bench,
}) => {
  const { page } = bench;
  await bench.openTool('huge');
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
  // The form has more than 4,000 fields.
  await expect(form.locator('[data-undrawn]')).not.toHaveCount(0);
  expect(await form.locator('[data-field]').count()).toBeLessThan(600);
  // The browser's search finds text in undrawn parts and draws them.
  const words = form.locator('[data-undrawn] [hidden]').filter({ hasText: 'row 25' }).first();
  await expect(words).toHaveAttribute('hidden', 'until-found');
  await expect(async () => {
    // A drawn part may contain undrawn parts, so repeat.
    await words.dispatchEvent('beforematch', {}, { timeout: 1000 });
    await expect(field(25, 't').getByRole('textbox')).toHaveValue('row 25', { timeout: 500 });
  }).toPass();
  // A problem far down can be reached.
  await bench.invalid(1).click();
  await expect(field(35, 'n').getByRole('textbox')).toBeFocused();
  // Tab visits each item in order, drawn or not.
  const met = new Set<string>();
  for (let tabs = 0; tabs < 300 && met.size < 13; tabs++) {
    await page.keyboard.press('Tab');
    const key = await page.evaluate(() => document.activeElement?.closest<HTMLElement>('[data-field]')?.dataset.field);
    const item = /^\["rows",35,"rows",(\d+),"t"\]$/.exec(key ?? '')?.[1];
    if (item !== undefined) met.add(item);
  }
  expect([...met]).toEqual(Array.from({ length: 13 }, (_, at) => String(at)));
  // Scrolling draws the fields that come into view.
  await bench.button('Add item').last().scrollIntoViewIfNeeded();
  await expect(field(39, 'rows', 29, 't')).toBeVisible();
  expect(await form.locator('[data-field]').count()).toBeLessThan(2500);
  await bench.button('Add item').last().click();
  await expect(field(40, 't').getByRole('textbox')).toBeFocused();
  expect(JSON.parse((await bench.sent())!)).toEqual({ rows: [...rows, {}] });
});
