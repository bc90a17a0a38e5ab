/** What of a field takes the focus. */
export const CONTROLS = 'input, textarea, select, button';

/** Frames waited for while a form is on its way to the page. */
const FRAMES = 120;

/**
 * Gives the focus to the first required field of the form in view, or to its first field if none is required, and brings it into
 * sight. Nothing if there is no form. A form is marked by `data-form`, its fields by `data-field` and `data-required`.
 */
export function focusForm(frames = FRAMES): void {
  requestAnimationFrame(() => {
    const form = document.querySelector('[data-form]');
    const required = form && innermost(form, '[data-required]');
    if (!form && frames > 0) {
      focusForm(frames - 1);
      return;
    }
    const field = required ?? form?.querySelector('[data-field]');
    // By itself it would come to the middle, and what stands above a form is to be read.
    const control = field?.querySelector<HTMLElement>(CONTROLS);
    control?.focus({ preventScroll: true });
    control?.scrollIntoView({ block: 'nearest' });
  });
}

/** The first that matches, and in it the first, and so on. */
function innermost(within: Element, selector: string): Element | undefined {
  const found = within.querySelector(selector);
  return found ? (innermost(found, selector) ?? found) : undefined;
}
