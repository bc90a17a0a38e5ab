import { useCallback, useMemo, useRef, useState } from 'react';
import { useDraft } from '@/lib/hooks/drafts';
import { applyEdit, type Edit, type JsonPath } from '@/lib/json/edit';
import { stringifyJson, tryParseJson } from '@/lib/json/exact';
import { JsonSource } from '@/lib/json/source';
import { FieldProblems, FieldReveal } from './form-state';
import { hasSecrets, withoutSecrets } from './secrets';
import { BranchMemory } from './union-branches';

/** Returns the draft key of an entry's arguments. It uses the server's name, so that drafts survive a restart. */
export function documentKey(kind: 'tool' | 'prompt' | 'template', server: string, entry: string): string {
  return `${kind} ${server} ${entry}`;
}

export type DocumentMode = 'Form' | 'JSON';

/** Says why a document can't be sent, and what to do. undefined if it can. */
export function whyNotSendable({ parsed }: DocumentState): string | undefined {
  return parsed.ok ? undefined : 'Not JSON. To send it anyway, use New message…';
}

/** A JSON document as text, which may be invalid, and as a value. A document with blank text is not sent. */
export interface DocumentState {
  readonly text: string;
  /** The value is undefined for blank text. */
  readonly parsed: { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly message: string };
  /** False for blank text: the member is not sent at all. */
  readonly sent: boolean;
  readonly mode: DocumentMode;
  readonly setMode: (mode: DocumentMode) => void;
  /** Replaces the document from outside the form. Stable. */
  readonly setText: (text: string) => void;
  /** Like `setText`, but can be undone by {@link undo}. */
  readonly fill: (text: string) => void;
  /** Undoes the last fill; undefined after another change. */
  readonly undo: (() => void) | undefined;
  /** An edit by the form. Stable. */
  readonly edit: (edit: Edit) => void;
  /** Sets the value at a path; undefined removes it. Stable. */
  readonly change: (path: JsonPath, value: unknown) => void;
  /** Counts changes that did not come from the form. */
  readonly generation: number;
  readonly memory: BranchMemory;
  readonly problems: FieldProblems;
  readonly reveal: FieldReveal;
  /** The document was sent, so changes do nothing. */
  readonly readOnly?: true;
}

/** Returns the text that somebody has typed into the document of `key`; undefined if nobody has. */
export function useDocumentDraft(key: string): string | undefined {
  const [draft] = useDraft<string | undefined>(`document:${key}`, undefined);
  return draft;
}

// Texts with secret values. Kept in memory until a reload, never written to storage.
const unwritten = new Map<string, string>();

/** Returns the draft document of `key`. It survives reloads of the tab, except for values whose names look secret. */
export function useDocument(key: string, start: DocumentMode = 'Form', initial = '{}'): DocumentState {
  const [draft, saveDraft] = useDraft(`document:${key}`, initial);
  const [mode, setMode] = useState(start);
  const [, render] = useState(0);
  const text = unwritten.get(key) ?? draft;
  // The value after the form's edit. Unchanged parts stay the same objects, so that their fields do not render again.
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
      // Secrets can't be removed from invalid text, so the stored draft stays as it is.
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
      // Arguments from elsewhere count as filled in, an emptied form as new.
      const { problems } = toolsOf(key);
      if (next === '' || next === '{}') problems.hideAll();
      else problems.showAll();
    },
    [setText, key],
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
    (path: JsonPath, value: unknown) =>
      edit(value === undefined ? { type: 'remove', path } : { type: 'set', path, value }),
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

// Kept while the page lives, so that a tool's union drafts are there when the user returns to it.
const remembered = new Map<string, Tools>();

/** Returns the form's other state, the same object for the same key. */
function toolsOf(key: string): Tools {
  const tools = remembered.get(key) ?? {
    memory: new BranchMemory(),
    problems: new FieldProblems(),
    reveal: new FieldReveal(),
  };
  remembered.set(key, tools);
  return tools;
}

/** Returns a document that was sent, read-only. Blank text means that none was sent. */
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
 * Returns the arguments in a pasted text: the `arguments` of a request, its params, or an object with a name; otherwise
 * the whole JSON. Undefined if the text is not JSON.
 */
export function pastedArguments(text: string): string | undefined {
  if (!tryParseJson(text).ok) return undefined;
  const whole = JsonSource.parse(text);
  const params = whole?.member('jsonrpc') && whole.member('params');
  const named = params ?? (whole?.member('name') && whole.children(3).count <= 3 ? whole : undefined);
  return named?.member('arguments')?.text ?? text.trim();
}
