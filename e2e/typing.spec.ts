import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator, Page, WebSocketRoute } from '@playwright/test';
import { expect } from './bin';
import { test } from './shared-bin';
import { Workbench } from './workbench';

const SERVER = join(import.meta.dirname, 'servers/withdrawing-server.mjs');
/** Another one types other text at other moments: `SEED=2 npm run test:long -- typing`. */
const SEED = Number(process.env.SEED ?? 1);
/** Most fields of a panel in which random text is typed. */
const FIELDS_OF_PANEL = process.env.TEST_LONG ? 100 : 1;

/** Letters and signs that are keys of the page, with others. */
const TYPED = [...'iynbwFfdrpjkxhmtcusgovVO?/.,;[]123 aeiouzqAEQ'];

type Control = 'ask' | 'withdraw' | 'change' | 'clear' | 'die';

interface Typing {
  readonly bench: Workbench;
  readonly page: Page;
  /** Folder in which the server runs, where pins would be written. */
  readonly folder: string;
  readonly control: (what: Control) => Promise<void>;
  /** Returns what the server got. */
  readonly received: () => Promise<string[]>;
}

/** Opens the page with the server that does what the test tells it. */
async function started(open: (words: string[], options: object) => Promise<{ page: Page }>, folder: string) {
  mkdirSync(folder, { recursive: true });
  const file = join(folder, 'controls');
  const { page } = await open(['--', process.execPath, SERVER, file], { cwd: folder });
  const bench = new Workbench(page);
  await bench.connected();
  // A server that was started again has other controls.
  const call = async (path: string) => (await fetch(`${readFileSync(file, 'utf8')}${path}`)).json();
  const control = async (what: Control) => {
    // It answers nothing once it has exited.
    await call(what).catch(() => undefined);
    if (what === 'die') rmSync(file);
  };
  const received = () => call('received') as Promise<string[]>;
  return { bench, page, folder, control, received };
}

/** Returns what a command would change: the panel, the view of the log, a dialog, a file. */
async function effects({ bench, page, folder }: Typing): Promise<unknown> {
  const { searchParams } = new URL(page.url());
  return {
    panel: searchParams.get('panel'),
    frame: searchParams.get('frame'),
    http: searchParams.get('http'),
    dialogs: await page.getByRole('dialog').count(),
    paused: await bench.log.getByRole('button', { name: /^Resume/ }).count(),
    timeline: await bench.log.getByRole('group', { name: 'Timeline' }).count(),
    cleared: await bench.button('Undo clear').count(),
    maximised: !(await bench.view.first().isVisible()),
    note: await page.getByRole('textbox', { name: /^Note on/ }).count(),
    told: await bench.region('Changed key').count(),
    files: filesIn(folder),
  };
}

/** Returns what was written into the server's folder, without the file of its controls and our own data folder. */
function filesIn(folder: string): string[] {
  return readdirSync(folder).filter((name) => name !== 'controls' && name !== 'home');
}

async function textOf(field: Locator): Promise<string> {
  return field.evaluate((element) => ('value' in element ? String(element.value) : (element.textContent ?? '')));
}

test('a question that the server withdraws while somebody answers keeps its form, and stays while it asks again', async ({
  open,
}, { outputDir }) => {
  test.slow();
  const typing = await started(open, outputDir);
  const { bench, page, control, received } = typing;
  for (const [tool, name] of [
    ['sample', 'Reply'],
    ['elicit', 'colour'],
  ] as const) {
    await test.step(`the form of ${tool} stays, and sends nothing by itself`, async () => {
      await bench.tool(tool);
      await bench.call();
      const field = bench.field(name);
      await expect(field).toBeFocused();
      await page.keyboard.type(`half a ${tool} `);
      const before = await effects(typing);
      await control('withdraw');
      await page.keyboard.type('psnmbi');
      await expect(page.getByText(/^! The server withdrew this question after/)).toBeVisible();
      await page.keyboard.type(' and more');
      await expect(field).toBeFocused();
      await expect(field).toHaveValue(`half a ${tool} psnmbi and more`);
      expect(await effects(typing)).toEqual(before);
      await expect(bench.button(tool === 'sample' ? 'Send reply' : 'Accept')).toHaveAttribute('aria-disabled', 'true');
      // The key that sends does nothing now.
      await page.keyboard.press('ControlOrMeta+Enter');
      expect((await received()).join('\n')).not.toContain(`half a ${tool}`);
    });

    await test.step(`the draft of ${tool} is in the Inbox too, also after a reload, and can be sent`, async () => {
      const field = bench.field(name);
      await bench.button('Open in the Inbox').click();
      await expect(field).toHaveValue(`half a ${tool} psnmbi and more`);
      if (tool === 'sample') await page.reload();
      await expect(field).toHaveValue(`half a ${tool} psnmbi and more`);
      await bench.button('Send anyway').click();
      await expect(page.getByText('Your answer was sent in')).toBeVisible();
      await expect.poll(async () => (await received()).join('\n')).toContain(`half a ${tool} psnmbi and more`);
      await expect(bench.button('Send anyway')).toHaveCount(0);
    });
  }

  await test.step('it stays in view while the server asks again', async () => {
    await bench.tool('elicit');
    await bench.call();
    const field = bench.field('colour');
    await expect(field).toBeFocused();
    await page.keyboard.type('blu');
    await control('withdraw');
    await control('ask');
    await expect(bench.region('Questions')).toContainText('asks 1 question');
    await page.keyboard.type('e');
    await expect(field).toHaveValue('blue');
    await bench.region('Question from the server').getByRole('button', { name: 'Close' }).click();
    await expect(field).toHaveCount(0);
  });
});

test('a server that dies and is started again loses no draft', async ({ open }, { outputDir }) => {
  const { bench, page, control } = await started(open, outputDir);
  await bench.tool('order');
  await bench.field('item').fill('tea');
  await bench.tool('sample');
  await bench.call();
  await expect(bench.field('Reply')).toBeFocused();
  await page.keyboard.type('half ');
  await control('die');
  await page.keyboard.type('a sentence');
  await expect(page.getByText(/^! The connection ended .* after this question/)).toBeVisible();
  await expect(bench.field('Reply')).toBeFocused();
  await expect(bench.field('Reply')).toHaveValue('half a sentence');
  await expect(bench.button('Send anyway')).toHaveCount(0);
  await bench.restart();
  await expect(bench.top).toContainText('run 2');
  await bench.connected();
  await bench.tool('order');
  await expect(bench.field('item')).toHaveValue('tea');
  await bench.showRun(1);
  await bench.panel('Inbox');
  await page.getByRole('listbox', { name: 'questions' }).getByRole('option').first().click();
  await expect(bench.field('Reply')).toHaveValue('half a sentence');
});

/** Returns the text of the editor in one line. */
async function editorText(page: Page): Promise<string> {
  const shown = await page.locator('.monaco-editor .view-lines').first().innerText();
  return shown.replaceAll('\u00a0', ' ').replaceAll('\n', '');
}

/** Fields of a panel that take text. */
const FIELDS = 'input:not([type=checkbox], [type=radio], [type=range], [type=file]), textarea';

const PANELS = [
  'Tools',
  'Resources',
  'Prompts',
  'Inbox',
  'Server',
  'Server logs beside all messages',
  'Problems',
  'Hold',
  'New message',
  'Chat',
];

/** A small random generator with a seed. */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

test(`typing in fields of every panel runs no command and loses no character, seed ${SEED}`, async ({ open }, {
  outputDir,
}) => {
  test.slow();
  const typing = await started(open, outputDir);
  const { bench, page, control, folder } = typing;
  const next = random(SEED);
  const pick = <T>(from: readonly T[]): T => from[Math.floor(next() * from.length)]!;
  const words = () => Array.from({ length: 10 }, () => pick(TYPED)).join('');
  const show = async (panel: string) => {
    await bench.panel(panel);
    if (panel === 'Tools') await bench.choose('order');
    if (panel === 'Server') await bench.button('Complete…').click();
    if (panel === 'Hold') await bench.button('Add rule').first().click();
  };
  await control('ask');
  for (const panel of PANELS) {
    await show(panel);
    const fields = bench.view.locator(FIELDS);
    await expect(fields.first()).toBeVisible();
    const count = await fields.count();
    for (let index = 0, tried = 0; index < count && tried < FIELDS_OF_PANEL; index++) {
      const field = fields.nth(index);
      if (!(await field.isVisible()) || !(await field.isEditable())) continue;
      tried++;
      // Monaco covers its field, and shows the text elsewhere.
      let isEditor = false;
      // Monaco may just be replacing the plain field.
      await expect(async () => {
        isEditor = await field.evaluate((element) => element.closest('.monaco-editor') !== null);
        if (isEditor) await field.focus();
        else await field.click({ timeout: 2000 });
      }).toPass();
      await page.keyboard.press('End');
      const [before, was] = [await textOf(field), await effects(typing)];
      const text = words();
      const half = Math.floor(text.length / 2);
      await page.keyboard.type(text.slice(0, half));
      await control(pick(['ask', 'withdraw', 'change', 'ask']));
      await page.keyboard.type(text.slice(half));
      const about = `${panel}, field ${index}`;
      await expect(field, about).toBeFocused();
      expect(await effects(typing), about).toEqual(was);
      if (isEditor) await expect.poll(() => editorText(page), about).toContain(text);
      else expect(await textOf(field), about).toBe(before + text);
    }
  }

  // The server dies, and after it nothing takes the field away.
  await show('Tools');
  const remark = bench.field('remark');
  await remark.fill('');
  await remark.click();
  const was = await effects(typing);
  const text = words();
  await page.keyboard.type(text);
  await control('die');
  await page.keyboard.type(text);
  await expect(bench.top).toContainText('failed');
  await page.keyboard.type(text);
  await expect(remark).toHaveValue(text + text + text);
  expect(await effects(typing)).toEqual(was);
  expect(existsSync(join(folder, 'mcp-inspect.pins.json'))).toBe(false);
  await page.reload();
  await expect(remark).toHaveValue(text + text + text);
});

test('a reload keeps what was typed in every field of every panel', async ({ open }, { outputDir }) => {
  test.slow();
  const { bench, page } = await started(open, outputDir);
  await bench.tool('order');
  await bench.call();
  const shown: { panel: string; url: string; fields: Locator; typed: ReadonlyMap<number, string> }[] = [];
  // Raw has only an editor.
  for (const panel of PANELS.filter((name) => name !== 'New message')) {
    await bench.panel(panel);
    if (panel === 'Tools') await bench.choose('order');
    if (panel === 'Server') await bench.button('Complete…').click();
    if (panel === 'Hold') {
      await bench.button('Another rule…').click();
      await expect(page.getByRole('form', { name: 'New rule' })).toBeVisible();
    }
    const fields = bench.view.locator(FIELDS);
    await expect(fields.first()).toBeVisible();
    const typed = new Map<number, string>();
    for (let index = 0; index < (await fields.count()); index++) {
      const field = fields.nth(index);
      if (!(await field.isVisible()) || !(await field.isEditable())) continue;
      // Monaco covers its field.
      if (await field.evaluate((element) => element.closest('.monaco-editor') !== null)) continue;
      await field.click();
      // A timeout takes only numbers that are possible.
      const isNumber = (await field.getAttribute('inputmode')) !== null;
      await page.keyboard.press(isNumber ? 'ControlOrMeta+A' : 'End');
      const isWord = !isNumber && (await field.getAttribute('placeholder')) !== 'JSON';
      await page.keyboard.type(`${isWord ? 'e' : '1'}${index}`);
      typed.set(index, await field.inputValue());
    }
    // The next group of Browse empties the search.
    if (panel === 'Tools') typed.delete(0);
    shown.push({ panel, url: page.url(), fields, typed });
  }
  await bench.filterBox.fill('status:');
  await page.reload();
  await expect(bench.filterBox).toHaveValue('status:');
  for (const { panel, url, fields, typed } of shown.reverse()) {
    await page.evaluate((to) => {
      history.pushState(null, '', to);
      dispatchEvent(new PopStateEvent('popstate'));
    }, url);
    if (panel === 'Server') await bench.button('Complete…').click();
    for (const [index, text] of typed) await expect(fields.nth(index), `${panel}, field ${index}`).toHaveValue(text);
  }
});

test('a reload keeps the form to connect, without its secrets', async ({ visit }) => {
  const { page } = await visit([]);
  const bench = new Workbench(page);
  const text = page.getByRole('textbox', { name: 'Command line, URL or JSON config' });
  await text.fill('node server.js --port 3000');
  await bench.options();
  await bench.button('Add variable').click();
  await bench.field('Name of new variable').fill('MY_NAME');
  await bench.field('Value of MY_NAME').fill('my-value');
  await bench.field('Working directory').fill('/srv');
  const stored = () => page.evaluate(() => JSON.stringify([{ ...sessionStorage }, { ...localStorage }]));
  expect(await stored()).toContain('MY_NAME');
  expect(await stored()).not.toContain('my-value');

  await page.reload();
  await expect(text).toHaveValue('node server.js --port 3000');
  await expect(bench.field('Working directory')).toHaveValue('/srv');
  await expect(bench.field('Value of MY_NAME')).toHaveValue('');
  await expect(page.getByText('The reload removed tokens and values')).toBeVisible();

  await text.fill('node server.js --api-key my-value');
  expect(await stored()).not.toContain('my-value');
  await page.reload();
  await expect(text).toHaveValue('');
  await expect(page.getByText('The reload removed the text, which may have a secret')).toBeVisible();
});

test('a tab that slept keeps the focus and what is typed while its server is restarted', async ({ open, page }, {
  outputDir,
}) => {
  let sleeps = false;
  const sockets: WebSocketRoute[] = [];
  await page.routeWebSocket(/\/ws$/, (socket) => {
    if (sleeps) socket.close();
    else sockets.push(socket, socket.connectToServer());
  });
  const { bench, received } = await started(
    (words, options) => open(['--page', 'linger=1', ...words], options),
    outputDir,
  );
  await bench.tool('order');
  const field = bench.field('item');
  await field.click();
  sleeps = true;
  for (const socket of sockets) await socket.close();
  const runs = () =>
    received().then(
      () => true,
      () => false,
    );
  await expect.poll(runs).toBe(false);
  // The note about the sleep replaces that about the end.
  await page.evaluate(() => {
    const look = () => {
      const text = document.body.innerText;
      const isTwice = text.includes('This tab slept') && text.includes('mcp-inspect stopped the server because');
      if (isTwice) document.documentElement.dataset.twice = 'yes';
    };
    new MutationObserver(look).observe(document.body, { childList: true, subtree: true, characterData: true });
  });
  sleeps = false;
  let typed = '';
  await expect(async () => {
    await page.keyboard.type('p');
    typed += 'p';
    await expect(page.getByText('its server was stopped, and is now restarted.')).toBeVisible({ timeout: 200 });
  }).toPass({ timeout: 60_000 });
  await page.keyboard.type('!');
  await expect(field).toBeFocused();
  await expect(field).toHaveValue(`${typed}!`);
  await expect(page.locator('html')).not.toHaveAttribute('data-twice');
});

test('letters outside of fields run nothing, and a form outlives its tool', async ({ open }, { outputDir }) => {
  const typing = await started(open, outputDir);
  const { bench, page, folder, control } = typing;
  await test.step('letters run nothing while a list or a button has the focus; old keys say once what replaces them', async () => {
    await bench.tool('order');
    await bench.call();
    await expect(bench.outcome).toContainText('ok');
    await bench.rows.last().click();
    await bench.page.getByRole('listbox', { name: 'tools' }).click();
    for (const place of [page.getByRole('listbox', { name: 'tools' }), bench.button('Call tool')]) {
      await place.focus();
      const was = await effects(typing);
      for (const key of 'iynbwFfdpsmctj?/') await page.keyboard.press(key);
      expect(await effects(typing)).toEqual(was);
    }

    await bench.rows.last().click();
    const note = bench.region('Changed key');
    // A second after the page moved the focus.
    await expect(async () => {
      await page.keyboard.press('i');
      await expect(note).toBeVisible({ timeout: 200 });
    }).toPass();
    await expect(note).toContainText('i pinned the call in earlier versions. Press Pin the call instead.');
    await note.getByRole('button', { name: 'Dismiss' }).click();
    await bench.rows.last().click();
    await page.keyboard.press('i');
    await page.keyboard.press('b');
    await expect(note).toContainText('b bookmarked the message in earlier versions.');
    expect(filesIn(folder)).toEqual([]);
  });

  await test.step('a form stays when the server no longer lists its tool', async () => {
    await page.getByRole('option', { name: 'order' }).click();
    await bench.field('item').click();
    await page.keyboard.type('te');
    await control('change');
    await control('clear');
    await expect(page.getByText('! The server no longer lists this tool')).toBeVisible();
    await page.keyboard.type('a');
    await expect(bench.field('item')).toBeFocused();
    await expect(bench.field('item')).toHaveValue('tea');
  });
});

test('a key that calls does so once, in a field nothing else works, and typing answers no question', async ({ open }, {
  outputDir,
}) => {
  const { bench, page, received } = await started(open, outputDir);
  const calls = async () => (await received()).filter((line) => line.includes('tools/call')).length;
  await test.step('a key that is held down presses a button once', async () => {
    await bench.tool('order');
    await bench.button('Call tool').focus();
    for (let times = 0; times < 5; times++) await page.keyboard.down('Enter');
    await page.keyboard.up('Enter');
    await expect(bench.outcome).toContainText('ok');
    expect(await calls()).toBe(1);
  });

  await test.step('in a field only Esc and the key that sends work', async () => {
    await bench.tool('order');
    await bench.field('item').fill('tea');
    await page.keyboard.press('ControlOrMeta+k');
    await page.keyboard.press('ControlOrMeta+Shift+Enter');
    await expect(page.getByRole('dialog')).toHaveCount(0);
    expect(await calls()).toBe(1);
    await page.keyboard.press('ControlOrMeta+Enter');
    await expect.poll(calls).toBe(2);
    await page.keyboard.press('Escape');
    await page.keyboard.press('ControlOrMeta+k');
    await expect(page.getByRole('dialog', { name: 'Command palette' })).toBeVisible();
    await page.keyboard.press('Escape');
  });

  await test.step('what is typed while a question before a call opens does not answer it', async () => {
    await bench.tool('danger');
    await bench.field('what').click();
    await page.keyboard.type('all');
    await page.keyboard.press('ControlOrMeta+Enter');
    const question = page.getByRole('dialog', { name: 'Call a destructive tool?' });
    await expect(question.getByRole('region', { name: 'Arguments' })).toContainText('all');
    await page.keyboard.type(' y');
    await page.keyboard.press('Enter');
    await expect(question).toBeVisible();
    expect(await calls()).toBe(2);
    await question.getByRole('button', { name: 'Call danger' }).click();
    await expect(bench.outcome).toContainText('ok');
  });
});

test('keys that were meant for something else answer no question', async ({ open }, { outputDir }) => {
  const { bench, page, control, received } = await started(open, outputDir);
  await test.step('Enter and Space that were meant for something that is gone press no button', async () => {
    await bench.tool('confirm');
    await bench.call();
    const question = bench.region('Question from the server');
    await question.getByRole('button', { name: 'Always answer like this' }).click();
    await expect(page.getByRole('menuitem').first()).toBeFocused();
    // As if somebody typed on: the keys reach what gets the focus.
    await page.evaluate(() => {
      const pressing = ({ target }: FocusEvent) => {
        for (const key of [' ', 'Enter']) {
          const pressed = new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true });
          if (target instanceof HTMLButtonElement && target.dispatchEvent(pressed)) target.click();
        }
      };
      document.addEventListener('focusin', pressing);
      document.addEventListener('typed', () => document.removeEventListener('focusin', pressing));
    });
    await control('withdraw');
    await expect(question.getByText(/^! The server withdrew this question after/)).toBeVisible();
    await expect(question.getByRole('button', { name: 'Copy' })).toBeFocused();
    await expect(question.getByRole('button', { name: 'Copied' })).toHaveCount(0);
    expect((await received()).join('\n')).not.toContain('"action"');
    await page.evaluate(() => document.dispatchEvent(new Event('typed')));
    await question.getByRole('button', { name: 'Close' }).click();
  });

  await test.step('the key that called a tool does not answer the question that follows', async () => {
    await bench.tool('confirm');
    // As if somebody pressed it twice: it reaches the form as soon as that has the focus.
    await page.evaluate(() => {
      const again = { key: 'Enter', ctrlKey: true, bubbles: true, cancelable: true };
      document.addEventListener('focusin', ({ target }) => {
        if (target instanceof Element && target.closest('[data-answer]')) {
          target.dispatchEvent(new KeyboardEvent('keydown', again));
        }
      });
    });
    await page.keyboard.press('ControlOrMeta+Enter');
    await expect(page.getByRole('checkbox', { name: 'sure' })).toBeFocused();
    expect((await received()).join('\n')).not.toContain('"action"');
    // It answers once there was time to read the question.
    await expect(async () => {
      await page.keyboard.press('ControlOrMeta+Enter');
      await expect.poll(async () => (await received()).join('\n'), { timeout: 500 }).toContain('"action":"accept"');
    }).toPass();
  });
});
