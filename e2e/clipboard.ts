import type { Page } from '@playwright/test';
import { expect } from './bin';

const NOTHING = 'nothing was copied yet';

/** Runs `copy` and returns the clipboard's text. Waits, because the page writes it after the click. */
export async function copiedBy(page: Page, copy: () => Promise<void>): Promise<string> {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.evaluate((text) => navigator.clipboard.writeText(text), NOTHING);
  await copy();
  const read = () => page.evaluate(() => navigator.clipboard.readText());
  await expect.poll(read).not.toBe(NOTHING);
  return read();
}
