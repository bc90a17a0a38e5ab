// Known form bugs of other inspectors, one step each, checked on the bytes that the server receives.
import { expect, test } from './forms-page';

test('unset fields and lists that are only open are not sent, and unions have fields', async ({ bench }) => {
  await test.step('a field that was set and unset is left out, not sent as null', async () => {
    await bench.openTool('unset');
    await bench.field('n').fill('5');
    await bench.choice('b').selectOption('true');
    await bench.frame('n').getByRole('button', { name: 'Unset' }).click();
    await bench.choice('b').selectOption({ index: 0 });
    expect(await bench.sent()).toBe('{}');
  });
  await test.step('a string that was typed and unset is left out, not sent empty', async () => {
    await bench.openTool('unset');
    await bench.field('d').fill('typed');
    await bench.field('d').fill('');
    expect(await bench.sent()).toBe('{"d":""}');
    await bench.frame('d').getByRole('button', { name: 'Unset' }).click();
    await expect(bench.field('d')).toHaveAttribute('placeholder', 'default dv');
    expect(await bench.sent()).toBe('{}');
  });
  await test.step('opened but untouched lists and objects are not sent', async () => {
    await bench.openTool('unset');
    await bench.unfold('m');
    await expect(bench.group('l').getByRole('button', { name: 'Add item' })).toBeVisible();
    await expect(bench.group('o').getByRole('textbox', { name: 'x' })).toBeVisible();
    expect(await bench.sent()).toBe('{}');
  });

  await test.step('a union of objects can be opened and filled in', async () => {
    await bench.openTool('pets');
    await bench.unfold('pet');
    await bench.group('Kind of pet').getByRole('button', { name: 'Dog' }).click();
    await bench.unfold('tricks');
    await bench.group('tricks').getByRole('button', { name: 'Add item' }).click();
    await bench.field('tricks[0]').fill('sit');
    expect(await bench.sent()).toBe('{"pet":{"kind":"dog","tricks":["sit"]}}');
  });
  await test.step('a union at the schema’s root has fields', async () => {
    await bench.openTool('root_union');
    await bench.field('address').fill('a@b.example');
    await expect(bench.button('kind: "email"')).toHaveAttribute('aria-pressed', 'true');
    await bench.button('kind: "sms"').click();
    await expect(bench.field('address')).toHaveCount(0);
    await bench.field('phone').fill('112');
    expect(await bench.sent()).toBe('{"kind":"sms","phone":"112"}');
  });
});

test('values are sent as given, and JSON is kept while it is invalid', async ({ bench }) => {
  await test.step('a required string may be empty and is sent', async () => {
    await bench.openTool('strict');
    await bench.more('name', 'Empty string');
    await expect(bench.field('name')).toHaveAttribute('placeholder', 'empty string');
    expect(await bench.sent()).toBe('{"name":""}');
  });
  await test.step('filling in defaults keeps a default of null', async () => {
    await bench.openTool('nullable_enum');
    await bench.pick('Fill', 'Schema defaults');
    expect(await bench.sent()).toBe('{"level":null}');
  });
  await test.step('a nullable enum can be set, set to null, and unset', async () => {
    await bench.openTool('nullable_enum');
    const level = bench.choice('level');
    await expect(level.getByRole('option')).toHaveText(['— (default null)', 'low', 'high', 'null']);
    await level.selectOption('low');
    expect(await bench.sent()).toBe('{"level":"low"}');
    await level.selectOption('null');
    expect(await bench.sent()).toBe('{"level":null}');
    await level.selectOption({ index: 0 });
    expect(await bench.sent()).toBe('{}');
  });
  await test.step('1e3 typed key by key stays 1e3', async () => {
    await bench.openTool('big_numbers');
    await bench.field('f').pressSequentially('1e3');
    await expect(bench.field('f')).toHaveValue('1e3');
    expect(await bench.sent()).toBe('{"f":1e3}');
  });
  await test.step('a $ref to a string is a text box', async () => {
    await bench.openTool('pets');
    await bench.field('word').fill('no quotes needed');
    await expect(bench.frame('word')).toContainText('A word of the dog.');
    expect(await bench.sent()).toBe('{"word":"no quotes needed"}');
  });

  await test.step('JSON is sent as typed: strings that look like numbers stay strings, nothing is added', async () => {
    await bench.openTool('strict');
    await bench.viewAs('JSON');
    await bench.edit('{"n": "5", "name": 7, "e": "true", "more": [1.0, 1e2]}');
    expect(await bench.sent()).toBe('{"n":"5","name":7,"e":"true","more":[1.0,1e2]}');
    await bench.viewAs('Form');
    expect(await bench.sent()).toBe('{"n":"5","name":7,"e":"true","more":[1.0,1e2]}');
  });
  await test.step('invalid JSON is reported and kept when the view or tool changes', async () => {
    await bench.openTool('strict');
    await bench.viewAs('JSON');
    await bench.edit('{"name": "torn');
    await expect(bench.page.getByText(/The arguments are not JSON/)).toBeVisible();
    await expect(bench.button('Call tool')).toBeDisabled();
    await bench.openTool('pets');
    await bench.openTool('strict');
    await expect(bench.page.getByText(/Fix the text in the JSON tab first/)).toBeVisible();
    await bench.viewAs('JSON');
    await expect(bench.page.locator('.view-lines')).toContainText('"torn');
  });
});
