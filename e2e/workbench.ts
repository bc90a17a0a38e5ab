import type { Locator, Page } from '@playwright/test';
import { expect } from './bin';

/** The page as a person names its parts. */
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

  get connections(): Locator {
    return this.page.getByRole('region', { name: 'Connections' });
  }

  get outcome(): Locator {
    return this.result.getByRole('status');
  }

  get filterBox(): Locator {
    return this.page.getByRole('combobox', { name: 'Filter messages' });
  }

  /** What a server's JSON is edited in, once it takes keys. */
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

  /** The rows of the list of recordings, each one. */
  get recordings(): Locator {
    const rows = this.page.getByRole('table', { name: 'Recordings' }).getByRole('row');
    // The header is a row as well.
    return rows.filter({ has: this.page.getByRole('checkbox') });
  }

  /** Does something with the first recording whose menu is called so. */
  async ofRecording(menu: RegExp, action: string): Promise<void> {
    await this.recordings.getByRole('button', { name: menu }).first().click();
    await this.page.getByRole('menuitem', { name: action }).click();
  }

  /** Waits for the handshake of the connection in view. */
  async connected(): Promise<void> {
    const state = this.page.getByRole('banner').getByText('open', { exact: true });
    await expect(state).toBeVisible({ timeout: 30_000 });
  }

  async panel(name: string): Promise<void> {
    await this.page.getByRole('tab', { name, exact: true }).first().click();
  }

  /** Opens an entry of the list in view. */
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

  async filter(text: string): Promise<void> {
    await this.filterBox.fill(text);
  }

  /** Replaces what the JSON editor holds, as a person does. */
  async edit(text: string): Promise<void> {
    await this.editor.focus();
    await this.page.keyboard.press('ControlOrMeta+A');
    await this.page.keyboard.insertText(text);
  }

  /** The newest request, response or sent message in the result's region, byte for byte as it was on the wire. */
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

  /** The frame in the message detail as it was on the wire; one of up to 64 KB. */
  async raw(): Promise<string> {
    await this.view('Raw');
    return this.detail.locator('pre').innerText();
  }

  /** The texts of one column's cells in view. `column` is the name of its header. */
  async cells(column: string): Promise<string[]> {
    const header = this.log.getByRole('columnheader', { name: column });
    const index = await header.getAttribute('aria-colindex');
    return this.rows.locator(`[role=gridcell][aria-colindex="${index}"]`).allInnerTexts();
  }

  /** The rows in view, each as a line. */
  async lines(): Promise<string[]> {
    return (await this.rows.allInnerTexts()).map((text) => text.replace(/\s+/g, ' ').trim());
  }

  /** How many rows there are after filtering, in view or not. */
  async count(): Promise<number> {
    // The header is one of them.
    return Number(await this.log.getByRole('grid').getAttribute('aria-rowcount')) - 1;
  }
}
