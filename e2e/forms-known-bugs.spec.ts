// What forms of other inspectors got wrong, one test each, down to the bytes that a server reads.
import { expect, test } from './forms-page';

test('what was touched and unset is left out, and no null', async ({ bench }) => {
  await bench.openTool('unset');
  await bench.field('n').fill('5');
  await bench.choice('b').selectOption('true');
  await bench.frame('n').getByRole('button', { name: 'Unset' }).click();
  await bench.choice('b').selectOption({ index: 0 });
  expect(await bench.sent()).toBe('{}');
});

test('a required text may be empty and is sent', async ({ bench }) => {
  await bench.openTool('strict');
  await bench.more('name', 'Empty string');
  await expect(bench.field('name')).toHaveAttribute('placeholder', 'empty string');
  expect(await bench.sent()).toBe('{"name":""}');
});

test('a text that was typed and unset leaves no empty text behind', async ({ bench }) => {
  await bench.openTool('unset');
  await bench.field('d').fill('typed');
  await bench.field('d').fill('');
  expect(await bench.sent()).toBe('{"d":""}');
  await bench.frame('d').getByRole('button', { name: 'Unset' }).click();
  await expect(bench.field('d')).toHaveAttribute('placeholder', 'default dv');
  expect(await bench.sent()).toBe('{}');
});

test('lists and objects that were opened but not filled in are not sent empty', async ({ bench }) => {
  await bench.openTool('unset');
  await bench.unfold('m');
  await expect(bench.group('l').getByRole('button', { name: 'Add item' })).toBeVisible();
  await expect(bench.group('o').getByRole('textbox', { name: 'x' })).toBeVisible();
  expect(await bench.sent()).toBe('{}');
});

test('a default that is null is kept when defaults are asked for', async ({ bench }) => {
  await bench.openTool('nullable_enum');
  await bench.pick('Fill', 'Defaults of the schema');
  expect(await bench.sent()).toBe('{"level":null}');
});

test('a choice that may be null can be chosen, be null, and be unset again', async ({ bench }) => {
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

test('a union of objects opens and is filled in', async ({ bench }) => {
  await bench.openTool('pets');
  await bench.unfold('pet');
  await bench.group('Kind of pet').getByRole('button', { name: 'Dog' }).click();
  await bench.unfold('tricks');
  await bench.group('tricks').getByRole('button', { name: 'Add item' }).click();
  await bench.field('tricks[0]').fill('sit');
  expect(await bench.sent()).toBe('{"pet":{"kind":"dog","tricks":["sit"]}}');
});

test('JSON that does not parse is told and kept, over views and tools', async ({ bench }) => {
  await bench.openTool('strict');
  await bench.viewAs('JSON');
  await bench.edit('{"name": "torn');
  await expect(bench.page.getByText(/The arguments are not JSON/)).toBeVisible();
  await expect(bench.button('Call tool')).toBeDisabled();
  await bench.openTool('pets');
  await bench.openTool('strict');
  await expect(bench.page.getByText(/Fix them under JSON first/)).toBeVisible();
  await bench.viewAs('JSON');
  await expect(bench.page.locator('.view-lines')).toContainText('"torn');
});

test('a union at the root of the schema has fields', async ({ bench }) => {
  await bench.openTool('root_union');
  await bench.field('address').fill('a@b.example');
  await expect(bench.button('kind: "email"')).toHaveAttribute('aria-pressed', 'true');
  await bench.button('kind: "sms"').click();
  await expect(bench.field('address')).toHaveCount(0);
  await bench.field('phone').fill('112');
  expect(await bench.sent()).toBe('{"kind":"sms","phone":"112"}');
});

test('JSON is sent as it was typed: a text that looks like a number stays one, and nothing is added', async ({
  bench,
}) => {
  await bench.openTool('strict');
  await bench.viewAs('JSON');
  await bench.edit('{"n": "5", "name": 7, "e": "true", "more": [1.0, 1e2]}');
  expect(await bench.sent()).toBe('{"n":"5","name":7,"e":"true","more":[1.0,1e2]}');
  await bench.viewAs('Form');
  expect(await bench.sent()).toBe('{"n":"5","name":7,"e":"true","more":[1.0,1e2]}');
});

test('a reference to a text is a text box', async ({ bench }) => {
  await bench.openTool('pets');
  await bench.field('word').fill('no quotes needed');
  await expect(bench.frame('word')).toContainText('A word of the dog.');
  expect(await bench.sent()).toBe('{"word":"no quotes needed"}');
});

test('1e3, typed key by key, is a thousand all the way', async ({ bench }) => {
  await bench.openTool('big_numbers');
  await bench.field('f').pressSequentially('1e3');
  await expect(bench.field('f')).toHaveValue('1e3');
  expect(await bench.sent()).toBe('{"f":1000}');
});
