import { useCallback, useMemo, useRef, useState } from 'react';
import { useDraft } from '@/lib/hooks/use-draft';
import { type Path, removeAt, setAt } from '@/lib/schema/document';
import { stringifyJson, tryParseJson } from '@/lib/schema/json';
import { hasSecrets, withoutSecrets } from './secrets';

/** One JSON document with two views: its text, which may not parse, and its value. */
export interface DocumentState {
  readonly text: string;
  readonly parsed: { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly message: string };
  readonly setText: (text: string) => void;
  /** Sets the value at a path; undefined takes it away. Stable. */
  readonly change: (path: Path, value: unknown) => void;
}

// What has secret values in it is kept while the page lives and is not written to storage.
const unwritten = new Map<string, string>();

/** The document drafted under `key`; kept over reloads of the tab but for values whose names look secret. */
export function useDocument(key: string, initial: string): DocumentState {
  const [draft, saveDraft] = useDraft(`document:${key}`, initial);
  const [, render] = useState(0);
  const text = unwritten.get(key) ?? draft;
  // The value the form made of the text, so that untouched parts stay the same objects and their fields do not render.
  const made = useRef<{ text: string; value: unknown }>(null);
  const parsed = useMemo(
    () => (made.current?.text === text ? { ok: true as const, value: made.current.value } : tryParseJson(text)),
    [text],
  );
  const latest = useRef(parsed);
  latest.current = parsed;

  const keep = useCallback(
    (text: string, value: unknown) => {
      const secret = hasSecrets(value);
      if (secret) unwritten.set(key, text);
      else unwritten.delete(key);
      saveDraft(secret ? stringifyJson(withoutSecrets(value), 2) : text);
      render((count) => count + 1);
    },
    [key, saveDraft],
  );
  const setText = useCallback(
    (text: string) => {
      const parsed = tryParseJson(text);
      keep(text, parsed.ok ? parsed.value : undefined);
    },
    [keep],
  );
  const change = useCallback(
    (path: Path, value: unknown) => {
      if (!latest.current.ok) return;
      const document = latest.current.value;
      const next = value === undefined ? removeOrNull(document, path) : setAt(document, path, value);
      const text = stringifyJson(next, 2);
      made.current = { text, value: next };
      latest.current = { ok: true, value: next };
      keep(text, next);
    },
    [keep],
  );
  return { text, parsed, setText, change };
}

function removeOrNull(document: unknown, path: Path): unknown {
  return path.length === 0 ? {} : removeAt(document, path);
}
