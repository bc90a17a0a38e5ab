// How forms look, when they speak, and where the focus goes.
import type { Locator } from '@playwright/test';
import { expect, test } from './forms-page';

/** Returns the box of a visible element. */
async function box(of: Locator) {
  const found = await of.boundingBox();
  expect(found).not.toBeNull();
  return { ...found!, right: found!.x + found!.width, bottom: found!.y + found!.height };
}

test('problems are shown in time, and Tab goes on from where the focus was', async ({ bench, fresh }) => {
  await test.step('a problem is shown after its field was left or the tool was called', async () => {
    const { page } = bench;
    const status = page.getByRole('status', { name: 'Invalid fields' });
    await bench.openTool('strict');
    await expect(bench.field('name')).toBeFocused();
    // Leaving an empty form says nothing about it.
    await bench.filterBox.click();
    await expect(bench.filterBox).toBeFocused();
    await bench.field('name').click();
    await expect(bench.field('name')).toBeFocused();
    await expect(status).toBeEmpty();
    await bench.field('n').pressSequentially('abc');
    // The check is done once another field's problem is shown.
    await expect(bench.frame('name')).toContainText('name is missing');
    await expect(bench.frame('n')).not.toContainText('expected');
    await expect(bench.invalid(1)).toBeVisible();
    await page.keyboard.press('Tab');
    await expect(bench.frame('n')).toContainText('n is a string, expected an integer');
    await bench.field('n').fill('5');
    await expect(bench.frame('n')).not.toContainText('expected');
    // An emptied form is like new.
    await bench.pick('Fill', 'Clear');
    await expect(status).toBeEmpty();
    await bench.call();
    await expect(bench.invalid(2)).toBeVisible();
    await expect(bench.field('n')).toHaveAccessibleDescription(/n is missing/);
    await bench.invalid(2).click();
    await expect(bench.field('name')).toBeFocused();
  });

  await test.step('Tab goes on from a field that Esc left', async () => {
    await fresh();

    const { page } = bench;
    await bench.openTool('strict');
    await expect(bench.field('name')).toBeFocused();
    await page.keyboard.press('Escape');
    await expect(bench.field('name')).not.toBeFocused();
    await page.keyboard.press('Tab');
    await expect(bench.field('n')).toBeFocused();
  });

  await test.step('Tab goes from field to field; Alt+↓ opens the menu of one, which can unset as well', async () => {
    await fresh();

    const { page } = bench;
    await bench.openTool('strict');
    await bench.field('name').fill('x');
    const frame = bench.frame('name');
    await expect(frame.getByRole('button', { name: 'Unset' })).toBeVisible();
    await page.keyboard.press('Tab');
    await expect(bench.field('n')).toBeFocused();
    await page.keyboard.press('Shift+Tab');
    await expect(bench.field('name')).toBeFocused();
    await page.keyboard.press('Alt+ArrowDown');
    await page.keyboard.press('End');
    await expect(page.getByRole('menuitem', { name: 'Unset, do not send' })).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(bench.field('name')).toHaveValue('');
  });
});

test('the mouse: a button keeps its place, and a choice shows its focus @firefox', async ({ bench }) => {
  await test.step('a button keeps its place while the mouse is pressed on it, though a problem appears above', async () => {
    const { page } = bench;
    await page.setViewportSize({ width: 720, height: 800 });
    await bench.openTool('strict');
    await expect(bench.field('name')).toBeFocused();
    await bench.button('Call tool').hover();
    const before = await box(bench.button('Call tool'));
    await page.mouse.down();
    expect(await box(bench.button('Call tool'))).toEqual(before);
    await page.mouse.up();
    await expect(bench.outcome).toContainText('ok');
    await expect(bench.invalid(2)).toBeVisible();
  });

  await test.step('a choice shows the focus that opening a tool by a click gives it', async () => {
    await bench.page.setViewportSize({ width: 1440, height: 900 });

    await bench.openTool('nullable_enum');
    await expect(bench.choice('level')).toBeFocused();
    await expect(bench.choice('level')).toHaveCSS('outline-style', 'solid');
  });
});

test('names, new items, open groups, and Esc', async ({ bench }) => {
  await test.step('a name stands above its field, which is as wide as the form', async () => {
    const { page } = bench;
    await bench.openTool('unset');
    const label = await box(page.getByText('s', { exact: true }));
    const field = await box(bench.field('s'));
    expect(label.bottom).toBeLessThanOrEqual(field.y);
    expect((await box(bench.frame('s').getByText('string'))).y).toBeGreaterThanOrEqual(field.bottom);
    expect(field.width).toBe((await box(page.locator('[data-form]'))).width);
    // Its buttons are shown on hover and focus.
    const more = bench.frame('d').getByRole('button', { name: 'More' }).locator('..');
    await expect(more).toHaveCSS('opacity', '0');
    await bench.field('d').hover();
    await expect(more).toHaveCSS('opacity', '1');
    await page.mouse.move(0, 0);
    await expect(more).toHaveCSS('opacity', '0');
    await bench.field('d').focus();
    await expect(more).toHaveCSS('opacity', '1');
  });

  await test.step('a new item, entry or property has the cursor', async () => {
    const { page } = bench;
    await bench.openTool('lists');
    await bench.unfold('rows');
    await bench.group('rows').getByRole('button', { name: 'Add item' }).click();
    await expect(bench.group('rows[0]').getByRole('textbox', { name: 't', exact: true })).toBeFocused();
    await bench.unfold('env');
    await bench.group('env').getByRole('textbox', { name: 'New field' }).fill('HOME');
    await page.keyboard.press('Enter');
    await expect(bench.field('HOME')).toBeFocused();
    await bench.unfold('pair');
    await bench.group('pair').getByRole('button', { name: 'Add item' }).click();
    await expect(bench.field('left')).toBeFocused();
  });

  await test.step('required arrays, objects and unions are open, however deep; optional ones are closed', async () => {
    await bench.openTool('required');
    await expect(bench.group('list').getByRole('button', { name: 'Add item' })).toBeVisible();
    await expect(bench.group('Kind of union').getByRole('button', { name: 'Cat' })).toBeVisible();
    await expect(bench.field('street')).toBeVisible();
    await bench.group('list').getByRole('button', { name: 'Add item' }).click();
    await expect(bench.field('leaf')).toBeFocused();
    await expect(bench.group('optional').getByRole('textbox')).toHaveCount(0);
    expect(await bench.sent()).toBe('{"list":[{}]}');
  });

  await test.step('Esc leaves a field and keeps its text; a list of choices is closed first; keys are shortcuts again', async () => {
    const { page } = bench;
    await bench.openTool('picks');
    await bench.choice('zone').fill('zone-4');
    await expect(page.getByRole('listbox', { name: 'Choices' })).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(page.getByRole('listbox', { name: 'Choices' })).toBeHidden();
    await expect(bench.choice('zone')).toBeFocused();
    await page.keyboard.press('Escape');
    await expect(bench.choice('zone')).not.toBeFocused();
    await expect(bench.choice('zone')).toHaveValue('zone-4');
    // Letters that are shortcuts elsewhere are text here.
    await bench.field('when').focus();
    await page.keyboard.type('s?gtjkm/');
    await expect(bench.field('when')).toHaveValue('s?gtjkm/');
    await expect(page.getByRole('dialog')).toHaveCount(0);
    await bench.keys();
    await page.keyboard.press('?');
    await expect(page.getByRole('dialog')).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(bench.field('when')).toHaveValue('s?gtjkm/');
  });
});

test('at other sizes: zoom, long names, and the timeout', async ({ bench }) => {
  await test.step('at 200 % zoom three fields are in view above the action bar, with the log open', async () => {
    const { page } = bench;
    await page.setViewportSize({ width: 720, height: 450 });
    await bench.openTool('big_numbers');
    await expect(bench.field('id')).toBeFocused();
    await expect(bench.log).toBeVisible();
    const bar = await box(bench.button('Call tool'));
    for (const name of ['id', 'f', 'neg']) expect((await box(bench.field(name))).bottom).toBeLessThanOrEqual(bar.y);
    await expect(bench.button('JSON')).toBeVisible();
    await expect(bench.button('History')).toBeVisible();
    // The timeout is one step away.
    await expect(bench.field('Timeout')).toBeHidden();
    await bench.pick('More actions', 'Timeout');
    await expect(bench.field('Timeout')).toBeFocused();
  });

  await test.step('a name of 60 characters breaks between its words only', async () => {
    const { page } = bench;
    await page.setViewportSize({ width: 720, height: 900 });
    await bench.openTool('long_words');
    const names = await page.locator('[data-form] label bdi').evaluateAll((found) =>
      found.map((name) => {
        const range = document.createRange();
        const lines = new Map<number, string>();
        for (const text of [...name.childNodes].filter((node) => node instanceof Text)) {
          for (const [at, character] of [...text.data].entries()) {
            range.setStart(text, at);
            range.setEnd(text, at + 1);
            const { top } = range.getBoundingClientRect();
            lines.set(top, (lines.get(top) ?? '') + character);
          }
        }
        return [...lines.values()].join('\n');
      }),
    );
    expect(names).toEqual([
      expect.stringMatching(/^(\w|[a-z]\n[A-Z])+$/),
      expect.stringMatching(/^(\w|_\n[a-z])+$/),
      // Cut, with an ellipsis.
      expect.stringMatching(/^\w+$/),
    ]);
    expect(names[0]).toContain('\n');
  });

  await test.step('a timeout belongs to one tool; without one the setting applies', async () => {
    const { page } = bench;
    await page.setViewportSize({ width: 1800, height: 900 });
    const openTimeout = async (tool: string) => {
      await bench.openTool(tool);
      // Like all that is needed rarely, it is in the menu, however wide the window is.
      await expect(bench.field('Timeout')).toBeHidden();
      await bench.pick('More actions', 'Timeout');
    };
    await openTimeout('strict');
    await expect(bench.field('Timeout')).toHaveValue('60');
    await bench.field('Timeout').fill('5');
    await openTimeout('pets');
    await expect(bench.field('Timeout')).toHaveValue('60');
    await openTimeout('strict');
    await expect(bench.field('Timeout')).toHaveValue('5');
    await bench.field('Timeout').fill('');
    await bench.field('Timeout').press('Escape');
    await bench.pick('More actions', 'Timeout');
    await expect(bench.field('Timeout')).toHaveValue('60');
  });
});

test('the action bar covers no field, keeps its menu, and repeats no outcome', async ({ bench }) => {
  await test.step('the action bar is flush with its pane and covers no field', async () => {
    const { page } = bench;
    await bench.openTool('wide');
    const bar = await box(bench.button('Call tool').locator('xpath=ancestor::div[2]'));
    const log = await box(bench.log);
    expect(Math.abs(bar.bottom - log.y)).toBeLessThanOrEqual(1);
    // Tab keeps the focused field clear of the bar.
    for (let field = 0; field < 8; field++) {
      await page.keyboard.press('Tab');
      const focused = await box(page.locator(':focus'));
      expect(focused.bottom).toBeLessThanOrEqual(bar.y + 1);
    }
  });

  await test.step('the action bar keeps its menu in the first line, and repeats no outcome that is in view', async () => {
    const { page } = bench;
    await bench.openTool('required');
    await bench.call();
    await expect(bench.outcome).toContainText('ok');
    const menu = bench.view.getByRole('button', { name: 'More actions' });
    for (const width of [1440, 1280, 1024, 390]) {
      await page.setViewportSize({ width, height: 844 });
      const call = await box(bench.button('Call tool'));
      const more = await box(menu);
      expect(more.y).toBeGreaterThanOrEqual(call.y);
      expect(more.bottom).toBeLessThanOrEqual(call.bottom);
    }
    // The result is below the form, which fills the pane.
    await page.setViewportSize({ width: 390, height: 600 });
    const link = page.getByTitle('Go to the result');
    await expect(link).toContainText('ok');
    // Without scrolling to it first, which could bring the result into view.
    await link.dispatchEvent('click');
    await expect(bench.result).toBeFocused();
    await expect(link).toBeHidden();
    await page.setViewportSize({ width: 1440, height: 900 });
    await bench.disconnect();
    await expect(page.getByText('Not connected. Restart the server first.')).toBeVisible();
    expect((await box(bench.button('More actions'))).bottom).toBeLessThanOrEqual(
      (await box(bench.button('Call tool'))).bottom,
    );
  });
});
