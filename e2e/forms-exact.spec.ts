// Fields keep what was typed, send nothing else, and come back when they are emptied.
import { expect, test } from './forms-page';

test('numbers keep their digits, and null is a value', async ({ bench, fresh }) => {
  await test.step('numbers keep the digits that were typed, up to the server', async () => {
    await bench.openTool('big_numbers');
    for (const digits of ['0.10', '1e3', '1.0', '-2.50', '1E+2', '18446744073709551615']) {
      await bench.field('f').fill(digits);
      expect(await bench.sent()).toBe(`{"f":${digits}}`);
      await expect(bench.field('f')).toHaveValue(digits);
    }
    // JSON does not allow these.
    await bench.field('f').fill('.5');
    expect(await bench.sent()).toBe('{"f":0.5}');
    await bench.field('f').fill('1.0');
    await bench.viewAs('JSON');
    await expect(bench.page.locator('.view-lines')).toContainText('1.0');
    await bench.viewAs('Form');
    expect(await bench.sent()).toBe('{"f":1.0}');
  });

  await test.step('a union of several branches can be null', async () => {
    await bench.openTool('nullables');
    const either = bench.frame('either');
    await either.getByRole('button', { name: 'null' }).click();
    expect(await bench.sent()).toBe('{"either":null}');
    await expect(bench.field('either')).toHaveAttribute('placeholder', 'null');
    await either.getByRole('button', { name: 'null' }).click();
    expect(await bench.sent()).toBe('{}');
    await bench.group('shapes').getByRole('button', { name: 'null' }).click();
    expect(await bench.sent()).toBe('{"shapes":null}');
    await bench.group('shapes').getByRole('button', { name: 'null' }).click();
    await bench.unfold('shapes');
    await bench.field('w').fill('3');
    expect(await bench.sent()).toBe('{"shapes":{"w":3}}');
  });

  await test.step('a new map entry has no value until one is given, and can be null', async () => {
    await fresh();

    await bench.openTool('nullables');
    await bench.unfold('limits');
    const limits = bench.group('limits');
    const add = async (name: string) => {
      await limits.getByRole('textbox', { name: 'New field' }).fill(name);
      await limits.getByRole('button', { name: 'Add' }).click();
    };
    await add('a');
    await expect(limits.getByRole('textbox', { name: 'a', exact: true })).toBeFocused();
    expect(await bench.sent()).toBe('{}');
    await add('b');
    await limits.getByRole('textbox', { name: 'b', exact: true }).fill('2');
    expect(await bench.sent()).toBe('{"limits":{"b":2}}');
    // Rows keep their places, and their names can be edited before they have a value.
    await expect(limits.getByRole('textbox', { name: 'Property name' })).toHaveCount(2);
    await limits.getByRole('textbox', { name: 'Property name' }).first().fill('c');
    await limits.getByRole('button', { name: 'null' }).first().click();
    expect(await bench.sent()).toBe('{"limits":{"b":2,"c":null}}');
    await add('d');
    await limits.getByRole('button', { name: 'Remove d' }).click();
    expect(await bench.sent()).toBe('{"limits":{"b":2,"c":null}}');
  });
});

test('what was added by a name is emptied and removed', async ({ bench }) => {
  await test.step('an empty string in a new map entry has to be asked for', async () => {
    await bench.openTool('lists');
    await bench.unfold('env');
    await bench.group('env').getByRole('textbox', { name: 'New field' }).fill('A');
    await bench.page.keyboard.press('Enter');
    expect(await bench.sent()).toBe('{}');
    await bench.group('env').getByRole('button', { name: 'Set ""' }).click();
    expect(await bench.sent()).toBe('{"env":{"A":""}}');
    await bench.group('env').getByRole('textbox', { name: 'Property name' }).fill('B');
    await bench.page.keyboard.press('ControlOrMeta+Enter');
    await expect(bench.outcome).toContainText('ok');
    expect(await bench.wire('request')).toContain('{"env":{"B":""}}');
  });

  await test.step('a property that the schema does not name is removed by one press', async () => {
    await bench.openTool('strict');
    await bench.pick('More actions', 'Add a field…');
    await bench.field('New field').fill('extra');
    await bench.page.keyboard.press('Enter');
    await bench.frame('extra').getByRole('button', { name: 'Unset' }).click();
    await expect(bench.frame('extra')).toHaveCount(0);
    await bench.field('New field').fill('extra');
    await bench.page.keyboard.press('Enter');
    await bench.field('extra').fill('1');
    expect(await bench.sent()).toBe('{"extra":1}');
    await bench.frame('extra').getByRole('button', { name: 'Unset' }).click();
    await expect(bench.frame('extra')).toHaveCount(0);
    expect(await bench.sent()).toBe('{}');
  });

  await test.step('a field comes back from the JSON box', async () => {
    await bench.openTool('unset');
    for (const empty of [
      () => bench.frame('s').getByRole('button', { name: 'Unset' }).click(),
      () => bench.pick('Fill', 'Clear'),
    ]) {
      // A wrong type, then a choice of the user.
      await bench.more('s', 'Set a wrong type');
      await expect(bench.field('s')).toHaveValue('12345');
      await expect(bench.frame('s').locator('textarea.font-mono')).toBeFocused();
      await empty();
      await expect(bench.frame('s').locator('textarea.font-mono')).toHaveCount(0);
      await bench.field('s').fill('5');
      expect(await bench.sent()).toBe('{"s":"5"}');
      await bench.more('s', 'Edit as JSON');
      await expect(bench.field('s')).toHaveValue('"5"');
      await empty();
      await bench.field('s').fill('6');
      expect(await bench.sent()).toBe('{"s":"6"}');
    }
  });
});

test('a press counts although its target moves, and a long paste takes no time', async ({ bench, fresh }) => {
  await test.step('a press of a checkbox counts, although the box moves while it is held', async () => {
    const { page } = bench;
    await bench.openTool('picks');
    await bench.unfold('days');
    const box = page.getByRole('checkbox', { name: 'mo', exact: true });
    const { x, y } = (await box.boundingBox())!;
    await page.mouse.move(x + 4, y + 4);
    await page.mouse.down();
    await box.evaluate((input) => {
      input.closest('label')!.style.marginTop = '60px';
    });
    await expect.poll(async () => (await box.boundingBox())!.y).toBeGreaterThan(y + 30);
    await page.mouse.up();
    await expect(box).toBeChecked();
    await box.click();
    await expect(box).not.toBeChecked();
  });

  await test.step('the first press of Call tool counts, although leaving the field moves the button', async () => {
    const { page } = bench;
    // One column, so that the button follows the fields.
    await page.setViewportSize({ width: 700, height: 1600 });
    await bench.openTool('strict');
    const requests = bench.rows.filter({ hasText: 'to server' }).filter({ hasText: 'tools/call' });
    await bench.field('n').fill('abc');
    await bench.field('n').blur();
    await expect(bench.frame('n')).toContainText('expected an integer');
    const button = await bench.button('Call tool').boundingBox();
    await page.mouse.move(button!.x + 8, button!.y + button!.height - 2);
    await bench.field('n').fill('7');
    await page.mouse.down();
    // The message goes away while the button is held.
    await expect(bench.frame('n')).not.toContainText('expected an integer');
    await expect.poll(async () => (await bench.button('Call tool').boundingBox())!.y).toBeLessThan(button!.y - 2);
    await page.mouse.up();
    await expect(requests).toHaveCount(1);
    expect(await bench.wire('request')).toContain('"arguments":{"n":7}');
    // And once only.
    await bench.call();
    await expect(requests).toHaveCount(2);
  });

  await test.step('60,000 times one letter is pasted without a pause', async () => {
    await fresh();
    await bench.page.setViewportSize({ width: 1440, height: 900 });

    const { page } = bench;
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await bench.openTool('strict');
    await bench.field('name').focus();
    await page.evaluate(() => navigator.clipboard.writeText('a'.repeat(60_000)));
    const begun = Date.now();
    await page.keyboard.press('ControlOrMeta+v');
    await expect(bench.frame('name')).toContainText('60.0 KB');
    // It took 17 s.
    expect(Date.now() - begun).toBeLessThan(5000);
    await bench.filter('a'.repeat(60_000));
    await expect(bench.rows).toHaveCount(0);
    await expect(bench.filterBox).toBeVisible();
  });
});
