import type { ReactNode } from 'react';

const TONES = {
  muted: 'text-muted border-line',
  accent: 'text-accent border-accent/40',
  ok: 'text-ok border-ok/40',
  warn: 'text-warn border-warn/40',
  error: 'text-error border-error/40',
} as const;

/** A short word about the thing beside it. The tone never says more than the word. */
export function Badge({
  tone = 'muted',
  title,
  children,
}: {
  readonly tone?: keyof typeof TONES;
  readonly title?: string;
  readonly children: ReactNode;
}) {
  return (
    <span
      title={title}
      className={`inline-flex h-[18px] shrink-0 items-center rounded border px-1 text-small whitespace-nowrap ${TONES[tone]}`}
    >
      {children}
    </span>
  );
}

/** How grave a finding is: told by a glyph, a word and a colour, each enough by itself. */
type Severity = 'error' | 'warning' | 'info';

export const SEVERITY_GLYPH: Readonly<Record<Severity, string>> = { error: '▲', warning: '△', info: '•' };
export const SEVERITY_WORD: Readonly<Record<Severity, string>> = { error: 'error', warning: 'warning', info: 'info' };
export const SEVERITY_COLOUR: Readonly<Record<Severity, string>> = {
  error: 'text-error',
  warning: 'text-warn',
  info: 'text-muted',
};

/** Behind a name that stands more than once in its object. */
export function RepeatedMark() {
  return (
    <span className="text-warn" title="The name occurs before in this object. Most readers take the last one.">
      {' '}
      ! repeated
    </span>
  );
}
