// The page that `npm run forms:report` measures: the real form, mounted for one tool after the other.
import { type ReactNode, useLayoutEffect } from 'react';
import { flushSync } from 'react-dom';
import { createRoot, type Root } from 'react-dom/client';
import { useChecker } from '@/components/form/checking';
import { DocumentEditor } from '@/components/form/document-editor';
import { chooseBranches } from '@/components/form/union-branches';
import { type DocumentState, useDocument } from '@/components/form/use-document';
import { parseJson, stringifyJson } from '@/lib/json/exact';
import { SchemaChecker } from '@/lib/schema/check';
import { countFields, type FieldCounts } from '@/lib/schema/count-fields';
import { view } from '@/lib/schema/view';
import { exampleOf, markersIn } from './examples';
import { MUTATIONS, mutant } from './mutants';
import { type Places, placesOf } from './places';
import { countStrays } from './strays';

let shown: DocumentState | undefined;
let root: Root | undefined;
let serial = 0;

interface MountProps {
  readonly schema: unknown;
  readonly name: string;
  readonly check: boolean;
}

function Mounted({ schema, name, check }: MountProps): ReactNode {
  const document = useDocument(name);
  return (
    <>
      {check && <Checked schema={schema} document={document} />}
      <Kept document={document} />
      <DocumentEditor
        document={document}
        schema={schema}
        empty="This tool takes no arguments."
        heading={<h3>Arguments</h3>}
        onSubmit={() => undefined}
      />
    </>
  );
}

function Checked({ schema, document }: { readonly schema: unknown; readonly document: DocumentState }): ReactNode {
  useChecker(schema, document, NO_COMPLAINTS);
  return null;
}

const NO_COMPLAINTS: readonly never[] = [];

function Kept({ document }: { readonly document: DocumentState }): ReactNode {
  useLayoutEffect(() => {
    shown = document;
  });
  return null;
}

/** What was found out about one tool. Times in milliseconds. */
export interface ToolFindings {
  readonly buildMs: number;
  readonly mountMs: number;
  readonly mountFullMs: number;
  /** From the first paint until nothing in sight is missing, at worst. */
  readonly inSightMs: number;
  readonly counts: FieldCounts;
  /** The text that an untouched form sends. */
  readonly untouched: string;
  /** For each example: whether its text was the same after the form had shown it. */
  readonly kept: readonly boolean[];
  /** For each example: whether its text was the same after edits that were undone by hand. */
  readonly restored: readonly boolean[];
  readonly places: readonly Places[];
  readonly unlabelled: number;
  /** Serious and critical findings of axe. */
  readonly axe: readonly string[];
  /** What the validator says of examples and mutants, how much of it has a field of its own, and how much comes from other branches. */
  readonly findings: number;
  readonly landed: number;
  readonly strays: number;
  readonly unchecked?: string;
}

/** Leaves of an example that takes seconds to draw wholly. */
const LARGE = 200;

/** Elements that take long to be forgotten. */
const LARGE_PAGE = 5000;

/** axe, once it was put into the page. */
declare const axe: { run(place: Element, options: object): Promise<{ violations: AxeViolation[] }> } | undefined;

interface AxeViolation {
  readonly id: string;
  readonly impact: string | null;
  readonly nodes: readonly { readonly html: string }[];
}

/**
 * Mounts a tool's form empty and with two examples, each of which is then made wrong all over; `brief` has a large one mounted once,
 * and nothing made wrong. Throws what the form throws.
 */
async function measure(schemaText: string, brief = false): Promise<ToolFindings> {
  const schema = parseJson(schemaText);
  const begun = performance.now();
  const top = view(schema, schema);
  const counts = countFields(schema);
  const buildMs = performance.now() - begun;
  const mountMs = mount(schema);
  let inSightMs = await settled();
  const untouched = shown!.text;
  const inaccessible = await accessibilityProblems();
  await drawAll();
  let unlabelled = countUnlabelled();
  unmount();
  const kept: boolean[] = [];
  const restored: boolean[] = [];
  const places: Places[] = [];
  let mountFullMs = 0;
  const told: Told = { findings: 0, landed: 0, strays: 0, unchecked: undefined };
  const checker = new SchemaChecker(schemaText);
  for (const pick of ['first', 'last'] as const) {
    const example = exampleOf(top, schema, pick);
    const text = stringifyJson(example, pick === 'first' ? 2 : 0);
    mountFullMs = Math.max(mountFullMs, mount(schema, text));
    inSightMs = Math.max(inSightMs, await settled());
    if (pick === 'first') inaccessible.push(...(await accessibilityProblems()));
    await drawAll();
    unlabelled += countUnlabelled();
    kept.push(shown!.text === text);
    restored.push(undoesEdits(text));
    places.push(placesOf(markersIn(example)));
    tell(text);
    if (brief && markersIn(example).length > LARGE) {
      unmount();
      break;
    }
    for (const mutation of MUTATIONS) {
      const wrong = stringifyJson(mutant(example, mutation));
      flushSync(() => shown!.setText(wrong));
      await drawAll();
      tell(wrong);
    }
    unmount();
  }
  return {
    buildMs,
    mountMs,
    mountFullMs,
    inSightMs,
    counts,
    untouched,
    kept,
    restored,
    places,
    unlabelled,
    axe: inaccessible,
    ...told,
  };

  function tell(text: string): void {
    const { memory, parsed } = shown!;
    const branches = parsed.ok ? chooseBranches(schema, parsed.value, memory) : new Map<string, string>();
    const verdict = checker.check(text, branches);
    const fields = new Set(
      [...document.querySelectorAll<HTMLElement>('[data-field]')].map((field) => field.dataset.field),
    );
    told.unchecked ??= verdict.unchecked;
    told.findings += verdict.findings.length;
    told.landed += verdict.findings.filter(({ path }) => path.length === 0 || fields.has(JSON.stringify(path))).length;
    told.strays += countStrays(schemaText, text, branches, verdict.findings);
  }
}

interface Told {
  findings: number;
  landed: number;
  strays: number;
  unchecked: string | undefined;
}

/** What axe finds of the form in sight, if axe is in the page. */
async function accessibilityProblems(): Promise<string[]> {
  if (typeof axe === 'undefined') return [];
  // Colours are the same for all tools, and take longest to look at: the tests of the page do that.
  const options = { resultTypes: ['violations'], rules: { 'color-contrast': { enabled: false } } };
  const { violations } = await axe.run(document.getElementById('form')!, options);
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes[0]?.html.slice(0, 200)}`);
}

/** Milliseconds until the form is laid out; what comes after the first paint is not in it. */
function mount(schema: unknown, text?: string, check = false): number {
  serial += 1;
  const name = `measured ${serial}`;
  if (text !== undefined) sessionStorage.setItem(`draft:document:${name}`, JSON.stringify(text));
  const place = document.getElementById('form')!;
  place.style.display = '';
  root = createRoot(place);
  const begun = performance.now();
  flushSync(() => root!.render(<Mounted schema={schema} name={name} check={check} />));
  place.getBoundingClientRect();
  return performance.now() - begun;
}

function unmount(): void {
  const large = document.querySelectorAll('#form *').length > LARGE_PAGE;
  root?.unmount();
  sessionStorage.clear();
  // What is measured next is a form, and not the end of this one.
  if (large) globalThis.gc?.();
}

/** Waits until all that is in sight is drawn. Returns the milliseconds. */
async function settled(): Promise<number> {
  if (document.querySelector('[data-undrawn]') === null) return 0;
  const begun = performance.now();
  let last = begun;
  for (let quiet = 0; quiet < 2; quiet++) {
    await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve, 0)));
    const inSight = [...document.querySelectorAll('[data-undrawn]')].some(
      (place) => place.getBoundingClientRect().top < innerHeight,
    );
    if (!inSight) continue;
    last = performance.now();
    quiet = -1;
  }
  return last - begun;
}

/**
 * Draws all of the form, by what the browser's search does when it finds something in a part that is not drawn. Nothing of it is laid
 * out meanwhile, or thereafter: that would take most of the time.
 */
async function drawAll(): Promise<void> {
  document.getElementById('form')!.style.display = 'none';
  for (;;) {
    const places = document.querySelectorAll('[data-undrawn] [hidden]');
    if (places.length === 0) return;
    for (const place of places) place.dispatchEvent(new Event('beforematch'));
    await new Promise((resolve) => setTimeout(resolve, 0));
  }
}

/** Sets and unsets a property that was not there: the text must be as it was. */
function undoesEdits(text: string): boolean {
  const { value } = shown!.parsed as { value: unknown };
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return true;
  flushSync(() => shown!.change(['an unknown name'], { a: [1] }));
  flushSync(() => shown!.change(['an unknown name'], undefined));
  return shown!.text === text;
}

/** Controls that a screen reader could not name. Their `labels` are looked for in the whole page each time: here only once. */
function countUnlabelled(): number {
  const labelled = new Set(
    [...document.querySelectorAll('label')].filter((label) => label.textContent?.trim()).map(({ htmlFor }) => htmlFor),
  );
  return [...document.querySelectorAll<HTMLInputElement>('input, textarea, select, button')].filter((control) => {
    if (control.ariaLabel || control.getAttribute('aria-labelledby') || control.title) return false;
    if (control.matches('button')) return !control.textContent?.trim();
    return !labelled.has(control.id) && !control.closest('label')?.textContent?.trim();
  }).length;
}

/** Milliseconds from a key to the next paint, in the form that is mounted, in the last text field of it. */
async function type(times: number): Promise<number[]> {
  document.getElementById('form')!.style.display = '';
  const fields = document.querySelectorAll<HTMLTextAreaElement>('[data-field] textarea');
  const field = fields[fields.length - 1]!;
  const setter = Object.getOwnPropertyDescriptor(HTMLTextAreaElement.prototype, 'value')!.set!;
  const spent: number[] = [];
  for (let count = 1; count <= times; count++) {
    await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve, 0)));
    const begun = performance.now();
    setter.call(field, 'x'.repeat(count));
    field.dispatchEvent(new Event('input', { bubbles: true }));
    await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve, 0)));
    spent.push(performance.now() - begun);
  }
  return spent;
}

Object.assign(globalThis, {
  forms: {
    measure,
    type,
    settled,
    drawAll,
    unmount,
    show: (schemaText: string, text?: string) => mount(parseJson(schemaText), text, true),
    text: () => shown!.text,
    example: (schemaText: string, pick: 'first' | 'last') => {
      const schema = parseJson(schemaText);
      return stringifyJson(exampleOf(view(schema, schema), schema, pick), 2);
    },
  },
});
