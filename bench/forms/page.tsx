// The page that `npm run forms:report` measures: it mounts the real form for one tool after another.
import { type ReactNode, useLayoutEffect } from 'react';
import { flushSync } from 'react-dom';
import { createRoot, type Root } from 'react-dom/client';
import { useChecker } from '@/components/form/checking';
import { DocumentEditor } from '@/components/form/document-editor';
import { chooseBranches } from '@/components/form/union-branches';
import { type DocumentState, useDocument } from '@/components/form/use-document';
import { parseExactJson, stringifyJson } from '@/lib/json/exact';
import { SchemaChecker } from '@/lib/schema/check';
import { countFields, type FieldCounts } from '@/lib/schema/count-fields';
import { view } from '@/lib/schema/view';
import { exampleOf, MUTATIONS, markersIn, mutant, type Places, placesOf } from './examples';
import { countNulls, type NullCounts } from './nulls';
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

/** Findings about one tool. Times are in milliseconds. */
export interface ToolFindings {
  readonly buildMs: number;
  readonly mountMs: number;
  readonly mountFullMs: number;
  /** Longest time from the first paint until everything in view is drawn. */
  readonly inSightMs: number;
  readonly counts: FieldCounts;
  /** The text that an untouched form sends. */
  readonly untouched: string;
  /** For each example: true if its text was unchanged after the form showed it. */
  readonly kept: readonly boolean[];
  /** For each example: true if its text was unchanged after an edit and its reversal. */
  readonly restored: readonly boolean[];
  readonly places: readonly Places[];
  readonly unlabelled: number;
  /** Serious and critical violations reported by axe. */
  readonly axe: readonly string[];
  /** Number of errors in examples and mutants. */
  readonly findings: number;
  /** Number of them shown at their own field. */
  readonly landed: number;
  /** Number of them that belong to a branch that is not shown. */
  readonly strays: number;
  /** Number of values that may be null, and the paths of those whose field does not offer it. */
  readonly nulls: NullCounts;
  readonly unchecked?: string;
}

/** An example with more leaves takes seconds to draw. */
const LARGE = 200;

/** A form with more elements takes long to collect as garbage. */
const LARGE_PAGE = 5000;

/** axe, if it was injected into the page. */
declare const axe: { run(place: Element, options: object): Promise<{ violations: AxeViolation[] }> } | undefined;

interface AxeViolation {
  readonly id: string;
  readonly impact: string | null;
  readonly nodes: readonly { readonly html: string }[];
}

/**
 * Mounts a tool's form empty and with two examples, and makes each example invalid everywhere. With `brief`, a large
 * example is mounted once and not made invalid. Throws the errors of the form.
 */
async function measure(schemaText: string, brief = false): Promise<ToolFindings> {
  const schema = parseExactJson(schemaText);
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
  const checks: Checks = { findings: 0, landed: 0, strays: 0, unchecked: undefined };
  const nulls = { allowed: 0, missing: [] as string[] };
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
    checkErrors(text);
    if (markersIn(example).length <= LARGE) {
      const { allowed, missing } = countNulls(example, chooseBranches(schema, example, shown!.memory), checker);
      nulls.allowed += allowed;
      nulls.missing.push(...missing);
    }
    if (brief && markersIn(example).length > LARGE) {
      unmount();
      break;
    }
    for (const mutation of MUTATIONS) {
      const wrong = stringifyJson(mutant(example, mutation));
      flushSync(() => shown!.setText(wrong));
      await drawAll();
      checkErrors(wrong);
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
    nulls,
    ...checks,
  };

  function checkErrors(text: string): void {
    const { memory, parsed } = shown!;
    const branches = parsed.ok ? chooseBranches(schema, parsed.value, memory) : new Map<string, string>();
    const verdict = checker.check(text, branches);
    const fields = new Set(
      [...document.querySelectorAll<HTMLElement>('[data-field]')].map((field) => field.dataset.field),
    );
    checks.unchecked ??= verdict.unchecked;
    checks.findings += verdict.findings.length;
    checks.landed += verdict.findings.filter(
      ({ path }) => path.length === 0 || fields.has(JSON.stringify(path)),
    ).length;
    checks.strays += countStrays(schemaText, text, branches, verdict.findings);
  }
}

interface Checks {
  findings: number;
  landed: number;
  strays: number;
  unchecked: string | undefined;
}

/** Returns the violations that axe finds in the visible form; none if axe is not in the page. */
async function accessibilityProblems(): Promise<string[]> {
  if (typeof axe === 'undefined') return [];
  // Colours are the same for all tools and take longest to check, so the tests of the page check them.
  const options = { resultTypes: ['violations'], rules: { 'color-contrast': { enabled: false } } };
  const { violations } = await axe.run(document.getElementById('form')!, options);
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes[0]?.html.slice(0, 200)}`);
}

/** Mounts the form. Returns the milliseconds until the first layout. */
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
  // Collected now, so that it does not slow down the next form.
  if (large) globalThis.gc?.();
}

/** Waits until everything in view is drawn. Returns the milliseconds. */
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
 * Draws all of the form with the event that the browser's search fires when it finds text in a part that is not drawn.
 * The form stays hidden, because laying it out would take most of the time.
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

/** Adds and removes an unknown property. Returns true if the text is the same afterwards. */
function undoesEdits(text: string): boolean {
  const { value } = shown!.parsed as { value: unknown };
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return true;
  flushSync(() => shown!.change(['an unknown name'], { a: [1] }));
  flushSync(() => shown!.change(['an unknown name'], undefined));
  return shown!.text === text;
}

/**
 * Counts controls without an accessible name. Collects labels once, because `control.labels` searches the whole page
 * each time.
 */
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

/** Types in the last text field of the mounted form. Returns the milliseconds from each key to the next paint. */
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
    show: (schemaText: string, text?: string) => mount(parseExactJson(schemaText), text, true),
    text: () => shown!.text,
    example: (schemaText: string, pick: 'first' | 'last') => {
      const schema = parseExactJson(schemaText);
      return stringifyJson(exampleOf(view(schema, schema), schema, pick), 2);
    },
  },
});
