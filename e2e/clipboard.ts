import type { Page } from '@playwright/test';
import { expect } from './bin';

const NOTHING = 'nothing was copied yet';

/** Lets scripts use the clipboard. For Firefox, playwright.config.ts sets a preference instead. */
export async function allowClipboard(page: Page): Promise<void> {
  const context = page.context();
  if (context.browser()?.browserType().name() === 'firefox') return;
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
}

/** Runs `copy` and returns the clipboard's text. Waits, because the page writes it after the click. */
export async function copiedBy(page: Page, copy: () => Promise<void>): Promise<string> {
  await allowClipboard(page);
  await page.evaluate((text) => navigator.clipboard.writeText(text), NOTHING);
  await copy();
  const read = () => page.evaluate(() => navigator.clipboard.readText());
  await expect.poll(read).not.toBe(NOTHING);
  return read();
}
