import { useCallback, useMemo, useRef, useState } from 'react';
import { useDraft } from '@/lib/hooks/drafts';
import { applyEdit, type Edit, type Path } from '@/lib/json/edit';
import { stringifyJson, tryParseJson } from '@/lib/json/exact';
import { JsonSource } from '@/lib/json/source';
import { FieldReveal } from './field-focus';
import { FieldProblems } from './field-problems';
import { hasSecrets, withoutSecrets } from './secrets';
import { BranchMemory } from './union-branches';

/** Name of the draft that holds the arguments for an entry of a list: by the server's name, so that a restart keeps it. */
export function documentKey(kind: 'tool' | 'prompt' | 'template', server: string, entry: string): string {
  return `${kind} ${server} ${entry}`;
}

export type DocumentMode = 'Form' | 'JSON';

/** One JSON document with two views: its text, which may not parse, and its value. Blank text is a document that is not sent. */
export interface DocumentState {
  readonly text: string;
  /** The value is undefined for blank text. */
  readonly parsed: { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly message: string };
  /** False if there is nothing to send: no `arguments` at all. */
  readonly sent: boolean;
  readonly mode: DocumentMode;
  readonly setMode: (mode: DocumentMode) => void;
  /** Replaces the document from outside the form. Stable. */
  readonly setText: (text: string) => void;
  /** The same, undone by {@link undo}. */
  readonly fill: (text: string) => void;
  /** What was there before the last fill, while nothing else happened. */
  readonly undo: (() => void) | undefined;
  /** An edit by the form. Stable. */
  readonly edit: (edit: Edit) => void;
  /** Sets the value at a path; undefined takes it away. Stable. */
  readonly change: (path: Path, value: unknown) => void;
  /** Counts changes that did not come from the form. */
  readonly generation: number;
  readonly memory: BranchMemory;
  readonly problems: FieldProblems;
  readonly reveal: FieldReveal;
  /** It is what was sent once: whatever would change it does nothing. */
  readonly readOnly?: true;
}

// What has secret values in it is kept while the page lives and is not written to storage.
const unwritten = new Map<string, string>();

/**
 * The document drafted under `key`, at first the `initial` text; kept over reloads of the tab but for values whose names look
 * secret.
 */
export function useDocument(key: string, start: DocumentMode = 'Form', initial = '{}'): DocumentState {
  const [draft, saveDraft] = useDraft(`document:${key}`, initial);
  const [mode, setMode] = useState(start);
  const [, render] = useState(0);
  const text = unwritten.get(key) ?? draft;
  // The value the form made of the text, so that untouched parts stay the same objects and their fields do not render.
  const made = useRef<{ text: string; value: unknown }>(null);
  const filled = useRef<{ before: string; after: string }>(null);
  const parsed = useMemo(() => {
    if (made.current?.text === text) return { ok: true as const, value: made.current.value };
    return text.trim() === '' ? { ok: true as const, value: undefined } : tryParseJson(text);
  }, [text]);
  const latest = useRef({ text, parsed });
  latest.current = { text, parsed };

  const keep = useCallback(
    (text: string, parsed: { readonly value: unknown } | undefined) => {
      const secret = hasSecrets(text, parsed !== undefined);
      if (secret) unwritten.set(key, text);
      else unwritten.delete(key);
      // Of a text that does not parse, nobody knows where its secrets end: what is stored stays as it is.
      if (!secret) saveDraft(text);
      else if (parsed) saveDraft(stringifyJson(withoutSecrets(parsed.value), 2));
      render((count) => count + 1);
    },
    [key, saveDraft],
  );
  const setText = useCallback(
    (text: string) => {
      const parsed = tryParseJson(text);
      toolsOf(key).memory.resetChoices();
      keep(text, parsed.ok ? parsed : text.trim() === '' ? { value: undefined } : undefined);
    },
    [key, keep],
  );
  const fill = useCallback(
    (next: string) => {
      filled.current = { before: latest.current.text, after: next };
      setText(next);
    },
    [setText],
  );
  const edit = useCallback(
    (edit: Edit) => {
      const { text, parsed } = latest.current;
      if (!parsed.ok) return;
      toolsOf(key).memory.followEdit(edit);
      const next = applyEdit({ text, value: parsed.value }, edit);
      made.current = next;
      latest.current = { text: next.text, parsed: { ok: true, value: next.value } };
      keep(next.text, next);
    },
    [key, keep],
  );
  const change = useCallback(
    (path: Path, value: unknown) => edit(value === undefined ? { type: 'remove', path } : { type: 'set', path, value }),
    [edit],
  );
  const undo = useCallback(() => filled.current && setText(filled.current.before), [setText]);
  const tools = toolsOf(key);
  return {
    text,
    parsed,
    sent: text.trim() !== '',
    mode,
    setMode,
    setText,
    fill,
    undo: filled.current?.after === text && filled.current.before !== text ? undo : undefined,
    edit,
    change,
    generation: tools.memory.generation,
    ...tools,
  };
}

type Tools = Pick<DocumentState, 'memory' | 'problems' | 'reveal'>;

// While the page lives: what was typed into other branches is there again when the tool is.
const remembered = new Map<string, Tools>();

/** What a form remembers besides the document. The same for the same document. */
function toolsOf(key: string): Tools {
  const tools = remembered.get(key) ?? {
    memory: new BranchMemory(),
    problems: new FieldProblems(),
    reveal: new FieldReveal(),
  };
  remembered.set(key, tools);
  return tools;
}

/** A document that was sent once, to be read: what would change it does nothing. Blank text was not sent at all. */
export function useSentDocument(text: string, start: DocumentMode = 'Form'): DocumentState {
  const [mode, setMode] = useState(start);
  const sent = useMemo(() => {
    const parsed = text.trim() === '' ? ({ ok: true, value: undefined } as const) : tryParseJson(text);
    const memory = new BranchMemory();
    return { parsed, memory, generation: memory.generation, problems: new FieldProblems(), reveal: new FieldReveal() };
  }, [text]);
  return { text, sent: text.trim() !== '', mode, setMode, ...UNCHANGED, ...sent };
}

function nothing(): void {}

const UNCHANGED = {
  setText: nothing,
  fill: nothing,
  undo: undefined,
  edit: nothing,
  change: nothing,
  readOnly: true,
} as const;

/**
 * The arguments in a pasted text, as they are written there: JSON itself, or the `arguments` of a request, of its params, or
 * of an object with a name. Undefined if it is no JSON.
 */
export function pastedArguments(text: string): string | undefined {
  if (!tryParseJson(text).ok) return undefined;
  const whole = JsonSource.parse(text);
  const params = whole?.member('jsonrpc') && whole.member('params');
  const named = params ?? (whole?.member('name') && whole.children(3).count <= 3 ? whole : undefined);
  return named?.member('arguments')?.text ?? text.trim();
}
