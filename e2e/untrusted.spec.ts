import { expect, hostileCommand, test } from './bin';
import { Workbench } from './workbench';

/** Invisible characters and characters that change the text direction. */
const HIDDEN = '[\\u200b\\u200e\\u200f\\u202a-\\u202e\\u2066-\\u2069\\ufeff]';

test('attack: everything a server sends is shown as text', async ({ open, page }) => {
  const alarms: string[] = [];
  page.on('dialog', (dialog) => {
    alarms.push(`dialog ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on('popup', (popup) => void alarms.push(`popup ${popup.url()}`));
  page.on('download', (download) => void alarms.push(`download ${download.suggestedFilename()}`));
  page.on('pageerror', (error) => void alarms.push(`error ${error.message}`));
  page.on('console', (message) => {
    if (message.type() === 'error' || /Content.Security|Trusted ?Type/i.test(message.text())) {
      alarms.push(`console ${message.text()}`);
    }
  });
  const outside: string[] = [];
  page.on('request', (request) => {
    if (!/^(http:\/\/127\.0\.0\.1:\d+\/|data:|blob:)/.test(request.url())) outside.push(request.url());
  });

  await open(['--', ...hostileCommand('xss')]);
  const bench = new Workbench(page);
  await bench.connected();

  const inspect = async (where: string) => {
    await expect(page.getByText('proxy ok')).toBeVisible();
    const seen = await page.evaluate((hidden) => {
      const text: string[] = [];
      const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
      while (walker.nextNode()) {
        const { parentElement, textContent } = walker.currentNode;
        // Edited text is what will be sent, so it must stay unchanged.
        if (parentElement?.closest('script, style, textarea')) continue;
        if (textContent && new RegExp(hidden).test(textContent)) {
          text.push(`<${parentElement?.localName}> ${textContent.slice(0, 200)}`);
        }
      }
      for (const element of document.querySelectorAll('*')) {
        for (const name of ['title', 'placeholder', 'aria-label', 'alt']) {
          const value = element.getAttribute(name);
          if (value && new RegExp(hidden).test(value))
            text.push(`<${element.localName} ${name}> ${value.slice(0, 200)}`);
        }
      }
      return {
        ran: (globalThis as { ran?: number }).ran,
        title: document.title,
        links: [...document.querySelectorAll('a')].map((link) => link.protocol),
        pictures: [...document.querySelectorAll('img')].map((image) => image.src.replace(/:.*/s, '')),
        embedded: document.querySelectorAll('iframe, object, embed').length,
        text,
      };
    }, HIDDEN);
    expect.soft(seen.ran, where).toBeUndefined();
    expect.soft(seen.title, where).toBe('mcp-inspect');
    expect
      .soft(
        seen.links.filter((protocol) => !/^(https?|mailto):$/.test(protocol)),
        where,
      )
      .toEqual([]);
    expect
      .soft(
        seen.pictures.filter((scheme) => scheme !== 'blob'),
        where,
      )
      .toEqual([]);
    expect.soft(seen.embedded, where).toBe(0);
    expect.soft(seen.text, where).toEqual([]);
  };

  // The second tool's name is the attack.
  await page.getByRole('listbox', { name: 'tools' }).getByRole('option').nth(1).click();
  await expect(page.getByRole('heading', { level: 2 }).filter({ hasText: 'globalThis.ran=1' })).toBeVisible();
  await expect(page.getByRole('heading', { level: 2 }).filter({ hasText: '\\u202egnp.exe' })).toBeVisible();
  await bench.schema();
  const schema = page.getByText('Whole definition', { exact: true });
  await schema.click();
  await bench.group('group').getByRole('button', { name: 'Set object' }).click();
  await inspect('a tool');
  await schema.click();
  await bench.tool('echo');
  await bench.call();
  await expect(bench.outcome).toContainText('error');
  await expect(bench.result.getByRole('img')).toBeVisible();
  await expect(bench.result).toContainText('<script>globalThis.ran=2</script>');
  await inspect('a result');
  await bench.wire('response');
  await inspect('a message, raw');
  await bench.detailTab('Pretty');
  await bench.tree.press('Home');
  await bench.tree.press('*');
  await inspect('a message, pretty');
  await bench.detailTab('Exchange');
  await inspect('an exchange');

  await bench.panel('Resources');
  const resources = page.getByRole('listbox', { name: 'resources' }).getByRole('option');
  await resources.first().click();
  await inspect('a template');
  // The last entry is the prompt.
  await resources.nth(-2).click();
  await expect(bench.outcome).toContainText('ok');
  // An image in Markdown is named, not fetched.
  await expect(bench.result).toContainText('[image not loaded: beacon');
  await inspect('a resource');

  await bench.panel('Prompts');
  await bench.button('Get prompt').click();
  await expect(bench.result).toContainText(/Invalid result: messages\[0\]\.role is .*expected one of/);
  await inspect('a prompt');

  await bench.panel('Server');
  await expect(bench.region('stderr')).toContainText('globalThis.ran=1');
  await inspect('the server');
  await bench.panel('New message');
  await bench.button('Send').click();
  await expect(bench.outcome).toBeVisible();
  await inspect('raw');
  await page.getByText('proxy ok').click();
  await page.keyboard.press('ControlOrMeta+k');
  await expect(page.getByRole('dialog').getByRole('option').first()).toBeVisible();
  await inspect('the palette');

  expect(alarms).toEqual([]);
  expect(outside).toEqual([]);
});
