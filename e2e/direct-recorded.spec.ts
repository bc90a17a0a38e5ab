import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import type { Page } from '@playwright/test';
import { linkedRecording } from '../lib/sharing/open-link';
import { expect } from './bin';
import { ALL_CORS, test } from './cors-servers';
import { connectDirectly } from './direct-page';
import { serversInstalled } from './http-servers';
import { Workbench } from './workbench';

test.skip(!serversInstalled, 'the real servers are not installed: `npm ci` in e2e/servers');

/** Has no shape of a secret: only who was given it can know. */
const GIVEN = 'walking-herons-4716-by-the-lake';

async function call(bench: Workbench, message: string): Promise<void> {
  await bench.tool('echo');
  await bench.field('message').fill(message);
  await bench.call();
  await expect(bench.result).toContainText(message);
}

async function saved(page: Page, kind: RegExp): Promise<Buffer> {
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('radio', { name: kind }).check();
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    dialog.getByRole('button', { name: 'Save', exact: true }).click(),
  ]);
  return readFileSync(await file.path());
}

test('a value that was given and that the server repeats is in nothing that is shared', async ({
  open,
  serveBehind,
}) => {
  const { page } = await open([]);
  const bench = new Workbench(page);
  const server = await serveBehind('everything', ALL_CORS);
  await connectDirectly(bench, server, ['Authorization', `Bearer ${GIVEN}`]);
  await bench.connected();
  await call(bench, GIVEN);
  await page.keyboard.press('Escape');
  await bench.button('Share').click();
  await expect(page.getByRole('dialog').getByRole('status')).toContainText('masked before');
  await bench.button('Continue').click();
  const html = (await saved(page, /^Page/)).toString();
  const packed = html.match(/H4sI[\w+/]{200,}={0,2}/)![0];
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('radio', { name: /^Link/ }).check();
  const link = await dialog.getByRole('textbox', { name: 'Link' }).inputValue();
  await dialog.getByRole('radio', { name: /^Bug report/ }).check();
  const markdown = await dialog.getByRole('textbox', { name: 'Bug report' }).inputValue();
  const made = {
    html,
    inHtml: gunzipSync(Buffer.from(packed, 'base64')).toString(),
    gz: gunzipSync(await saved(page, /^File/)).toString(),
    jsonl: (await saved(page, /^Plain file/)).toString(),
    link: new TextDecoder().decode(await linkedRecording(link.split('#recording=')[1]!)),
    markdown,
    har: (await saved(page, /^HTTP Archive/)).toString(),
  };
  for (const [kind, text] of Object.entries(made)) {
    expect(text, kind).not.toContain(GIVEN);
    if (kind !== 'html') expect(text, kind).toContain('[redacted:');
  }
});
