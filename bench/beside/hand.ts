import type { Locator, Page } from '@playwright/test';

/** The cost of a task: pointer clicks, key presses, and seconds from the first of them until the goal is seen. */
export interface Effort {
  readonly clicks: number;
  readonly keys: number;
  readonly seconds: number;
}

/** Longest wait for one element, in milliseconds. */
const PATIENCE_MS = 30_000;

/** A person's hand on a page: does what a task needs and counts it. Looking costs time only. */
export class Hand {
  readonly page: Page;
  #clicks = 0;
  #keys = 0;
  #began: number | undefined;

  constructor(page: Page) {
    this.page = page;
    page.setDefaultTimeout(PATIENCE_MS);
  }

  async click(target: Locator): Promise<void> {
    this.startCounting();
    this.#clicks++;
    await target.click();
  }

  /** Clicks a control that another element covers, as a styled switch covers its input. */
  async clickCovered(target: Locator): Promise<void> {
    this.startCounting();
    this.#clicks++;
    await target.click({ force: true });
  }

  /** Chooses from a list, which takes a click. */
  async select(list: Locator, value: string): Promise<void> {
    this.startCounting();
    this.#clicks++;
    await list.selectOption(value);
  }

  /** Clicks, and waits for the file that this saves. */
  async save(target: Locator): Promise<void> {
    await Promise.all([this.page.waitForEvent('download'), this.click(target)]);
  }

  /** Types where the focus is. */
  async type(text: string): Promise<void> {
    this.startCounting();
    this.#keys += text.length;
    await this.page.keyboard.type(text);
  }

  /** Presses keys such as `Control+Enter`; a chord counts as one. */
  async press(...keys: readonly string[]): Promise<void> {
    this.startCounting();
    for (const key of keys) {
      this.#keys++;
      await this.page.keyboard.press(key);
    }
  }

  async see(target: Locator): Promise<void> {
    await target.first().waitFor();
  }

  get effort(): Effort {
    const seconds = this.#began === undefined ? 0 : (performance.now() - this.#began) / 1000;
    return { clicks: this.#clicks, keys: this.#keys, seconds };
  }

  /** Starts the clock; without it, the first action does. */
  startCounting(): void {
    this.#began ??= performance.now();
  }
}
