import { focusWhenThere } from './focus-when-there';

/** What of a field takes the focus. */
export const CONTROLS = 'input, textarea, select, button';

/** Frames waited for while a form is on its way to the page. */
const FRAMES = 120;

/**
 * Gives the focus to the first required field of the form in view, or to its first field if none is required, and brings it into
 * sight. Nothing if there is no form. A form is marked by `data-form`, its fields by `data-field` and `data-required`.
 */
export function focusForm(): void {
  focusWhenThere(() => {
    const form = document.querySelector('[data-form]');
    if (!form) return undefined;
    const field = innermost(form, '[data-required]') ?? form.querySelector('[data-field]');
    const control = field?.querySelector<HTMLElement>(CONTROLS);
    return control ? { control, within: control } : false;
  }, FRAMES);
}

/** The first that matches, and in it the first, and so on. */
function innermost(within: Element, selector: string): Element | undefined {
  const found = within.querySelector(selector);
  return found ? (innermost(found, selector) ?? found) : undefined;
}
