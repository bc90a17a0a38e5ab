// The page that `npm run forms:report` measures: the real form, mounted for one tool after the other.
import { type ReactNode, useLayoutEffect } from 'react';
import { flushSync } from 'react-dom';
import { createRoot, type Root } from 'react-dom/client';
import { DocumentEditor } from '@/components/form/document-editor';
import { useChecker } from '@/components/form/use-checker';
import { type DocumentState, useDocument } from '@/components/form/use-document';
import { Checker } from '@/lib/checker/check';
import { countFields, type FieldCounts } from '@/lib/schema/count-fields';
import type { Path } from '@/lib/schema/document';
import { parseJson, stringifyJson } from '@/lib/schema/json';
import { view } from '@/lib/schema/view';
import { exampleOf, markersIn } from './examples';
import { type Places, placesOf } from './places';

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

/** What was found out about one tool. */
export interface ToolFindings {
  readonly buildMs: number;
  readonly mountMs: number;
  readonly mountFullMs: number;
  readonly counts: FieldCounts;
  /** The text that an untouched form sends. */
  readonly untouched: string;
  /** For each example: whether its text was the same after the form had shown it, and after each of some edits were undone. */
  readonly kept: readonly boolean[];
  readonly places: readonly Places[];
  readonly unlabelled: number;
  /** What the validator says of the examples, and how much of it has a field of its own to be shown at. */
  readonly findings: number;
  readonly landed: number;
  readonly unchecked?: string;
}

/** Mounts a tool's form empty and with two examples. Throws what the form throws. */
async function measure(schemaText: string): Promise<ToolFindings> {
  const schema = parseJson(schemaText);
  const begun = performance.now();
  const top = view(schema, schema);
  const counts = countFields(schema);
  const buildMs = performance.now() - begun;
  const mountMs = mount(schema);
  await settled();
  const untouched = shown!.text;
  const unlabelled = countUnlabelled();
  unmount();
  const kept: boolean[] = [];
  const places: Places[] = [];
  let mountFullMs = 0;
  let findings = 0;
  let landed = 0;
  const checker = new Checker(schemaText);
  let unchecked: string | undefined;
  for (const pick of ['first', 'last'] as const) {
    const example = exampleOf(top, schema, pick);
    const text = stringifyJson(example, pick === 'first' ? 2 : 0);
    mountFullMs = Math.max(mountFullMs, mount(schema, text));
    await settled();
    kept.push(shown!.text === text && undoesEdits(text));
    places.push(placesOf(markersIn(example)));
    const verdict = checker.check(text, shown!.memory.places);
    unchecked ??= verdict.unchecked;
    findings += verdict.findings.length;
    landed += verdict.findings.filter(({ path }) => hasField(path)).length;
    unmount();
  }
  return { buildMs, mountMs, mountFullMs, counts, untouched, kept, places, unlabelled, findings, landed, unchecked };
}

/** Milliseconds until the form is laid out; what comes after the first paint is not in it. */
function mount(schema: unknown, text?: string, check = false): number {
  serial += 1;
  const name = `measured ${serial}`;
  if (text !== undefined) sessionStorage.setItem(`draft:document:${name}`, JSON.stringify(text));
  const place = document.getElementById('form')!;
  root = createRoot(place);
  const begun = performance.now();
  flushSync(() => root!.render(<Mounted schema={schema} name={name} check={check} />));
  place.getBoundingClientRect();
  return performance.now() - begun;
}

function unmount(): void {
  root?.unmount();
  sessionStorage.clear();
}

/** Waits until groups that come in steps are all there. */
async function settled(): Promise<void> {
  for (let quiet = 0; quiet < 2; ) {
    await new Promise((resolve) => setTimeout(resolve, quiet === 0 ? 4 : 0));
    quiet = document.querySelector('[data-form] [aria-busy]') === null ? quiet + 1 : 0;
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

function hasField(path: Path): boolean {
  return path.length === 0 || document.querySelector(`[data-field="${CSS.escape(JSON.stringify(path))}"]`) !== null;
}

/** Controls that a screen reader could not name. */
function countUnlabelled(): number {
  return [...document.querySelectorAll<HTMLInputElement>('input, textarea, select, button')].filter((control) => {
    const named = control.getAttribute('aria-label') || control.getAttribute('aria-labelledby') || control.title;
    return !named && control.textContent?.trim() === '' ? (control.labels?.length ?? 0) === 0 : false;
  }).length;
}

/** Milliseconds from a key to the next paint, in the form that is mounted, in the last text field of it. */
async function type(times: number): Promise<number[]> {
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
    unmount,
    show: (schemaText: string, text?: string) => mount(parseJson(schemaText), text, true),
    text: () => shown!.text,
    example: (schemaText: string, pick: 'first' | 'last') => {
      const schema = parseJson(schemaText);
      return stringifyJson(exampleOf(view(schema, schema), schema, pick), 2);
    },
  },
});
