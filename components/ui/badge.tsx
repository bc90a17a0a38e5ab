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
