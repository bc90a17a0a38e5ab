// Arguments → form → arguments, through the controls of the real form: whatever it shows, typed anew, is what was there.
import { expect, test } from '@playwright/test';
import fc from 'fast-check';
import { serveForms } from '../bench/forms/serve.mjs';
import { anyJson, rootSchema } from '../components/form/test-schemas';
import { makeSample } from '../lib/checker/sample';

/** What bench/forms/page.tsx offers. */
interface Harness {
  show(schemaText: string, text: string): number;
  settled(): Promise<void>;
  text(): string;
  unmount(): void;
}

test('arguments from arbitrary schemas, right and wrong, come out of the form as they went in', async ({ page }) => {
  test.setTimeout(180_000);
  const errors: string[] = [];
  page.on('pageerror', ({ message }) => errors.push(message));
  const { url, close } = await serveForms();
  try {
    await page.goto(url);
    await fc.assert(
      fc.asyncProperty(rootSchema, fc.oneof(anyJson, fc.constant(undefined)), async (schema, json) => {
        const schemaText = JSON.stringify(schema);
        const text = json === undefined ? sampleOf(schemaText) : JSON.stringify(json);
        const { shown, typed, after } = await page.evaluate(typeAnew, { schemaText, text });
        expect(errors).toEqual([]);
        expect(shown).toBe(text);
        expect(JSON.stringify(JSON.parse(after)), `${typed} controls`).toBe(JSON.stringify(JSON.parse(text)));
      }),
      { numRuns: 150, seed: 11 },
    );
  } finally {
    close();
  }
});

function sampleOf(schemaText: string): string {
  try {
    return makeSample(schemaText, true);
  } catch {
    return '{}';
  }
}

/** In the page: shows a document, opens what is closed, changes every control that holds something and changes it back. */
async function typeAnew({ schemaText, text }: { schemaText: string; text: string }) {
  const { forms } = globalThis as unknown as { forms: Harness };
  const controls = <T extends Element>(selector: string) => [
    ...document.querySelectorAll<T>(`[data-form] [data-field] ${selector}`),
  ];
  const put = async (control: HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement, value: string) => {
    Object.getOwnPropertyDescriptor(Object.getPrototypeOf(control), 'value')!.set!.call(control, value);
    control.dispatchEvent(new Event(control.tagName === 'SELECT' ? 'change' : 'input', { bubbles: true }));
    await Promise.resolve();
  };
  forms.show(schemaText, text);
  await forms.settled();
  const shown = forms.text();
  for (let rounds = 0; rounds < 8; rounds++) {
    const closed = controls<HTMLButtonElement>('button[aria-expanded=false]:not([aria-haspopup])');
    if (closed.length === 0) break;
    for (const button of closed) button.click();
    await forms.settled();
  }
  let typed = 0;
  for (const control of controls<HTMLInputElement | HTMLTextAreaElement>('textarea, input:not([type=checkbox])')) {
    const { value } = control;
    if (value === '' || control.getAttribute('aria-label') !== null) continue;
    control.focus();
    await put(control, `${value}~`);
    await put(control, value);
    control.blur();
    typed += 1;
  }
  for (const control of controls<HTMLSelectElement>('select:not([aria-label])')) {
    const { value, options } = control;
    // What is unset and set is in its group, which stays when it is unset again.
    if (options.length < 2 || value === 'unset') continue;
    await put(control, [...options].find((option) => option.value !== value)!.value);
    await put(control, value);
    typed += 1;
  }
  const after = forms.text();
  forms.unmount();
  return { shown, typed, after };
}
