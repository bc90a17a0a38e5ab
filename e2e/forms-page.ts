import { join } from 'node:path';
import type { Locator } from '@playwright/test';
import { expect } from './bin';
import { test as base } from './shared-bin';
import { Workbench } from './workbench';

/** The page, connected to a server that returns the exact bytes of each call. */
export class FormsPage extends Workbench {
  /** Opens the first tool that the search finds by this name. */
  async openTool(name: string): Promise<void> {
    await this.page.getByRole('searchbox', { name: /^Search / }).fill(name);
    await this.page.getByRole('listbox', { name: 'tools' }).getByRole('option').first().click();
    await expect(this.page.getByRole('heading', { level: 2, name, exact: true })).toBeVisible();
  }

  /** Calls the tool and returns the arguments as sent on the wire, or undefined if there were none. */
  async sent(): Promise<string | undefined> {
    const request = this.result.getByRole('button', { name: /^request #/ });
    const before = await request.allInnerTexts();
    await this.call();
    await expect(request).not.toHaveText(before[0] ?? 'none');
    await expect(this.outcome).not.toContainText('in flight');
    const line = await this.wire('request');
    return /"params":\{"name":"[^"]*"(?:,"arguments":(.*?))?(?:,"_meta":.*)?\}\}$/s.exec(line)?.[1];
  }

  /** A top-level field with its label, buttons and problems. */
  frame(field: string): Locator {
    return this.page.locator(`[data-field='${JSON.stringify([field])}']`);
  }

  /** Opens a group of fields. */
  async unfold(group: string): Promise<void> {
    await this.group(group).getByRole('button', { name: group, exact: true }).click();
  }

  /** Chooses an action in a top-level field's menu. */
  async more(field: string, action: string): Promise<void> {
    await this.frame(field).getByRole('button', { name: 'More' }).first().click();
    await this.page.getByRole('menuitem', { name: action }).click();
  }

  async viewAs(name: 'Form' | 'JSON'): Promise<void> {
    // The button leads to the other view.
    const button = this.group('View of the arguments').getByRole('button', { name });
    if (await button.isVisible()) await button.click();
  }

  /** Chooses an item in a menu beside *Call tool*. */
  async pick(menu: 'Fill' | 'History' | 'More actions', item: string): Promise<void> {
    // A form that is filled in has the items of *Fill* in its last menu.
    const button = this.button(menu);
    const isThere = menu !== 'Fill' || (await button.isVisible());
    await (isThere ? button : this.button('More actions')).click();
    await this.page.getByRole('menuitem', { name: item }).click();
  }

  /** The button that counts the fields with a problem. */
  invalid(count: number): Locator {
    return this.button(`! ${count} invalid field${count === 1 ? '' : 's'}`);
  }
}

/** The words of a command line that connects to the server with a tool for each kind of form. */
export const FORMS_SERVER = [
  '--protocol',
  '2025-11-25',
  '--',
  process.execPath,
  join(import.meta.dirname, 'servers/forms-server.mjs'),
];

interface Fixtures {
  readonly bench: FormsPage;
  /** Shows another connection to such a server, where nothing was typed yet. */
  fresh(): Promise<void>;
}

export const test = base.extend<Fixtures>({
  bench: async ({ visit }, use) => {
    const { page } = await visit(FORMS_SERVER);
    const bench = new FormsPage(page);
    await bench.connected();
    await use(bench);
  },

  fresh: async ({ visit, bench }, use) => {
    let servers = 1;
    await use(async () => {
      await visit(FORMS_SERVER, `forms ${++servers}`);
      await bench.connected();
    });
  },
});

export { expect };
