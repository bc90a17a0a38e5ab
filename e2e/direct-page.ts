import type { Page } from '@playwright/test';
import type { CorsServer } from './cors-servers';
import type { Workbench } from './workbench';

/** The connect box's label when a proxy serves the page. */
const BOX = 'Command line, URL or JSON config';

/** Types the server's URL, chooses Direct and connects. */
export async function connectDirectly(bench: Workbench, server: Pick<CorsServer, 'url'>, header?: [string, string]) {
  await bench.field(BOX).fill(server.url);
  await bench.options();
  await bench.button('Direct').click();
  if (header) await addHeader(bench, header);
  await bench.button('Connect').click();
}

/** Adds a header in the open connect form. */
export async function addHeader(bench: Workbench, [name, value]: readonly [string, string]): Promise<void> {
  await bench.options();
  await bench.button('Add header').click();
  await bench.field('Name of new header').fill(name);
  await bench.page.getByLabel(`Value of ${name}`).fill(value);
}

/** Collects console errors and uncaught exceptions of the page from now on. */
export function pageErrors(page: Page): string[] {
  const errors: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error') errors.push(message.text());
  });
  page.on('pageerror', (error) => errors.push(error.message));
  return errors;
}
