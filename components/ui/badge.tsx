import type { ReactNode } from 'react';

const TONES = {
  muted: 'text-muted border-line',
  accent: 'text-accent border-accent/40',
  ok: 'text-ok border-ok/40',
  warn: 'text-warn border-warn/40',
  error: 'text-error border-error/40',
} as const;

/** A short word about the thing next to it. The tone only repeats what the word says. */
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

/** How serious a finding is, shown by a glyph, a word and a colour. Each is enough by itself. */
type Severity = 'error' | 'warning' | 'info';

export const SEVERITY_GLYPH: Readonly<Record<Severity, string>> = { error: '▲', warning: '△', info: '•' };
export const SEVERITY_WORD: Readonly<Record<Severity, string>> = { error: 'error', warning: 'warning', info: 'info' };
export const SEVERITY_COLOUR: Readonly<Record<Severity, string>> = {
  error: 'text-error',
  warning: 'text-warn',
  info: 'text-muted',
};

/** Marks a member name that already occurred in the same object. */
export function RepeatedMark() {
  return (
    <span className="text-warn" title="Duplicate name in this object. Most parsers use the last value.">
      {' '}
      ! repeated
    </span>
  );
}
