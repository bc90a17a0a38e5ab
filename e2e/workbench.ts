import type { Locator, Page } from '@playwright/test';
import { expect } from './bin';

/** Locators and actions of the page, named as the user sees them. */
export class Workbench {
  constructor(readonly page: Page) {}

  get log(): Locator {
    return this.page.getByRole('region', { name: 'Message log' });
  }

  get rows(): Locator {
    // The header is a row as well.
    return this.log.getByRole('row').filter({ has: this.page.getByRole('gridcell') });
  }

  get detail(): Locator {
    return this.page.getByRole('region', { name: 'Message detail' });
  }

  get result(): Locator {
    return this.page.getByRole('region', { name: 'Result', exact: true });
  }

  /** The list of servers. */
  get connections(): Locator {
    return this.page.getByRole('region', { name: 'Servers' });
  }

  /** The list of opened recordings. */
  get openRecordings(): Locator {
    return this.page.getByRole('region', { name: 'Open recordings' });
  }

  /** The top line. */
  get top(): Locator {
    return this.page.getByRole('banner');
  }

  /** Restarts the selected server. */
  async restart(): Promise<void> {
    await this.top.getByRole('button', { name: 'Restart' }).click();
  }

  /** The newest run in the list of servers: “run 3”. It folds the older ones away. */
  get newestRun(): Locator {
    return this.connections.getByRole('button', { name: /^run \d+ of / });
  }

  /** Unfolds the older runs of an entry, unless they are unfolded, and shows one. */
  async showRun(run: number): Promise<void> {
    const older = this.connections.getByRole('list', { name: /^Older runs/ });
    if (!(await older.isVisible())) await this.newestRun.click();
    await older
      .getByRole('button', { name: new RegExp(`^run ${run}\\b`) })
      .first()
      .click();
  }

  /** Runs a command of the palette. */
  async command(title: string): Promise<void> {
    await this.top.getByRole('button', { name: 'Search…' }).click();
    const palette = this.page.getByRole('dialog', { name: 'Command palette' });
    await palette.getByRole('combobox').fill(title);
    await palette.getByRole('option', { name: title }).first().click();
  }

  /**
   * Presses single keys, once they work: the page lets them rest for a second after it moved the focus. Leaves a field,
   * list or button first.
   */
  async keys(...keys: readonly string[]): Promise<void> {
    const { keyboard } = this.page;
    const list = this.page.getByRole('dialog', { name: 'Keys' });
    await expect(async () => {
      const isElsewhere = await this.page.evaluate(() => {
        const { activeElement, body } = document;
        const isField = activeElement?.matches('input, textarea, select') || activeElement?.closest('.monaco-editor');
        return activeElement !== body && (isField || !activeElement?.closest('[data-keys]'));
      });
      if (isElsewhere) await keyboard.press('Escape');
      await keyboard.press('?');
      await expect(list).toBeVisible({ timeout: 200 });
    }).toPass();
    await keyboard.press('Escape');
    await expect(list).toBeHidden();
    for (const key of keys) await keyboard.press(key);
  }

  get outcome(): Locator {
    // A question of the server in the result has others.
    return this.result.getByRole('status').first();
  }

  get filterBox(): Locator {
    return this.page.getByRole('combobox', { name: 'Filter messages' });
  }

  /** The JSON editor's text box, once it is loaded. */
  get editor(): Locator {
    return this.page.locator('.monaco-editor').getByRole('textbox');
  }

  button(name: string): Locator {
    return this.page.getByRole('button', { name, exact: true });
  }

  field(name: string): Locator {
    const suggesting = this.page.getByRole('combobox', { name, exact: true }).and(this.page.locator('input'));
    return this.page.getByRole('textbox', { name, exact: true }).or(suggesting);
  }

  choice(name: string): Locator {
    return this.page.getByRole('combobox', { name, exact: true });
  }

  group(name: string): Locator {
    return this.page.getByRole('group', { name, exact: true });
  }

  region(name: string): Locator {
    return this.page.getByRole('region', { name, exact: true });
  }

  /** The rows of the list of recordings. */
  get recordings(): Locator {
    const rows = this.page.getByRole('table', { name: 'Recordings' }).getByRole('row');
    // The header is a row as well.
    return rows.filter({ has: this.page.getByRole('checkbox') });
  }

  /** Chooses an action for the first recording whose menu button has this name. */
  async ofRecording(menu: RegExp, action: string): Promise<void> {
    await this.recordings.getByRole('button', { name: menu }).first().click();
    await this.page.getByRole('menuitem', { name: action }).click();
  }

  /** Chooses an action for a server in the list of servers. */
  async ofServer(name: string, action: string): Promise<void> {
    await this.button(`Connect ${name}`).hover();
    await this.button(`More actions for ${name}`).click();
    await this.page.getByRole('menuitem', { name: action, exact: true }).click();
  }

  /** Waits until the connection in view is open. */
  async connected(): Promise<void> {
    await expect(this.top.getByRole('img', { name: 'open', exact: true })).toBeVisible({ timeout: 30_000 });
  }

  async panel(name: string): Promise<void> {
    await this.page.getByRole('tab', { name, exact: true }).first().click();
  }

  /** Searches the list in view and opens the first entry with this name. */
  async choose(name: string): Promise<void> {
    await this.page.getByRole('searchbox', { name: /^Search / }).fill(name);
    await this.page.getByRole('listbox').getByRole('option').filter({ hasText: name }).first().click();
  }

  async tool(name: string): Promise<void> {
    await this.panel('Tools');
    await this.choose(name);
    await expect(this.page.getByRole('heading', { level: 2, name })).toBeVisible();
  }

  async call(): Promise<void> {
    await this.button('Call tool').click();
  }

  /** Answers the question before a destructive call. */
  async agree(): Promise<void> {
    await this.page
      .getByRole('dialog', { name: 'Call a destructive tool?' })
      .getByRole('button', { name: 'Call' })
      .click();
  }

  /** Fills the filter box. Enter closes the suggestions, which would cover the panel's buttons. */
  async filter(text: string): Promise<void> {
    await this.filterBox.fill(text);
    await this.filterBox.press('Enter');
  }

  /** Replaces the JSON editor's text with the keyboard. */
  async edit(text: string): Promise<void> {
    await this.editor.focus();
    await this.page.keyboard.press('ControlOrMeta+A');
    await this.page.keyboard.insertText(text);
  }

  /** Selects the result's request, response or sent message and returns it as it was on the wire. */
  async wire(half: 'request' | 'response' | 'sent'): Promise<string> {
    await this.result.getByRole('button', { name: new RegExp(`^${half} #`) }).click();
    return this.raw();
  }

  /** Opens a tab of the message detail. */
  async view(name: 'Pretty' | 'Raw' | 'Exchange' | 'HTTP' | 'Problems'): Promise<void> {
    await this.detail.getByRole('tab', { name, exact: true }).click();
  }

  /** The tree of the message detail. */
  get tree(): Locator {
    return this.detail.getByRole('tree');
  }

  /** Returns the selected frame as it was on the wire. Works for frames of up to 64 KB. */
  async raw(): Promise<string> {
    await this.view('Raw');
    return this.detail.locator('pre').innerText();
  }

  /**
   * Returns the cells of one column. `column` is the name of its header. Use it to look for a number: times in other
   * columns can contain any digits.
   */
  async cellsOf(rows: Locator, column: string): Promise<Locator> {
    const header = this.log.getByRole('columnheader', { name: column });
    const index = await header.getAttribute('aria-colindex');
    return rows.locator(`[role=gridcell][aria-colindex="${index}"]`);
  }

  /** Returns one column's cell texts of the rows in view. `column` is the name of its header. */
  async cells(column: string): Promise<string[]> {
    return (await this.cellsOf(this.rows, column)).allInnerTexts();
  }

  /** Returns the rows in view, each as one line of text. */
  async lines(): Promise<string[]> {
    return (await this.rows.allInnerTexts()).map((text) => text.replace(/\s+/g, ' ').trim());
  }

  /** Returns the number of rows after filtering, in view or not. */
  async count(): Promise<number> {
    // The header is one of them.
    return Number(await this.log.getByRole('grid').getAttribute('aria-rowcount')) - 1;
  }
}
