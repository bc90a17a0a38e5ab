import type { Page } from '@playwright/test';
import { expect } from './bin';

const NOTHING = 'nothing was copied yet';

/** What `copy` puts into the clipboard: the page writes it after the press. */
export async function copiedBy(page: Page, copy: () => Promise<void>): Promise<string> {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.evaluate((text) => navigator.clipboard.writeText(text), NOTHING);
  await copy();
  const read = () => page.evaluate(() => navigator.clipboard.readText());
  await expect.poll(read).not.toBe(NOTHING);
  return read();
}
