import { isObject, own } from '@/lib/wire/message';

/** A hint of a tool in words, and what it claims. */
export interface AnnotationWord {
  readonly word: string;
  readonly tone: 'muted' | 'ok' | 'warn';
  readonly about: string;
}

/** Hints, with the words for true and false. What a server leaves out is not said: defaults are for hosts. */
const HINTS: readonly (readonly [
  hint: string,
  yes: Omit<AnnotationWord, 'about'>,
  no: Omit<AnnotationWord, 'about'>,
])[] = [
  ['readOnlyHint', { word: 'read-only', tone: 'ok' }, { word: 'writes', tone: 'muted' }],
  ['destructiveHint', { word: 'destructive', tone: 'warn' }, { word: 'not destructive', tone: 'muted' }],
  ['idempotentHint', { word: 'idempotent', tone: 'muted' }, { word: 'not idempotent', tone: 'muted' }],
  ['openWorldHint', { word: 'open world', tone: 'muted' }, { word: 'closed world', tone: 'muted' }],
];

/** What a tool's annotations claim of it. They are the server's word and no guarantee. */
export function annotationWords(annotations: unknown): readonly AnnotationWord[] {
  if (!isObject(annotations)) return [];
  return HINTS.flatMap(([hint, yes, no]) => {
    const value = own(annotations, hint);
    if (typeof value !== 'boolean') return [];
    return { ...(value ? yes : no), about: `The server says ${hint}: ${value}` };
  });
}
