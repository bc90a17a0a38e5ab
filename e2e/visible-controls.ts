import type { Page } from '@playwright/test';

/** Returns the names of the visible controls, those that only hover shows included, without the rows of lists. */
export function visibleControls(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [
      ...document.querySelectorAll<HTMLElement>(
        'button, a[href], input, select, textarea, summary, [role=tab], [role=separator]',
      ),
    ]
      .filter(
        (element) => element.checkVisibility() && !element.closest('[role=row], [role=option], li:has([data-server])'),
      )
      .map((element) => element.getAttribute('aria-label') ?? element.textContent ?? element.tagName),
  );
}
