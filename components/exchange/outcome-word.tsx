import type { Outcome } from './outcome';

const TONES: Record<Outcome['tone'], string> = {
  muted: 'text-muted',
  ok: 'text-ok',
  warn: 'text-warn',
  error: 'text-error',
};

/** How an exchange went, in a glyph and a word. */
export function OutcomeWord({ outcome: { tone, glyph, word } }: { readonly outcome: Outcome }) {
  return (
    <span className={TONES[tone]}>
      <span aria-hidden="true">{glyph}</span> {word}
    </span>
  );
}
