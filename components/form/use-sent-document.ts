import { useMemo, useState } from 'react';
import { tryParseJson } from '@/lib/schema/json';
import { BranchMemory } from './branch-memory';
import { ProblemBoard } from './problem-board';
import { Reveal } from './reveal';
import type { DocumentMode, DocumentState } from './use-document';

/** A document that was sent once, to be read: what would change it does nothing. Blank text was not sent at all. */
export function useSentDocument(text: string, start: DocumentMode = 'Form'): DocumentState {
  const [mode, setMode] = useState(start);
  const sent = useMemo(() => {
    const parsed = text.trim() === '' ? ({ ok: true, value: undefined } as const) : tryParseJson(text);
    const memory = new BranchMemory();
    return { parsed, memory, generation: memory.generation, problems: new ProblemBoard(), reveal: new Reveal() };
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
