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

  button(name: string): Locator {
    return this.page.getByRole('button', { name, exact: true });
  }

  field(name: string): Locator {
    return this.page.getByRole('textbox', { name, exact: true });
  }

  /** Waits for the handshake. */
  async connected(): Promise<void> {
    await expect(this.button('Disconnect')).toBeVisible({ timeout: 30_000 });
  }

  async panel(name: string): Promise<void> {
    await this.page.getByRole('tab', { name, exact: true }).first().click();
  }

  /** Opens an entry of the list in view. */
  async choose(name: string): Promise<void> {
    await this.page.getByRole('searchbox', { name: /^Search / }).fill(name);
    await this.page.getByRole('option').filter({ hasText: name }).first().click();
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
    await this.page.getByRole('searchbox', { name: 'Filter messages' }).fill(text);
  }
}
