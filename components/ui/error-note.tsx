import type { ReactNode } from 'react';
import { Sentence } from './sentence';
import { visibleText } from './visible-text';

/** What happened, in one sentence, and what to do next. The shape is that of a `Failure`. */
export function ErrorNote({
  failure,
  quote,
  codeless = false,
  children,
}: {
  readonly failure: { readonly code: string; readonly message: string; readonly advice: string };
  /** What the other side itself said of it; shown as it came. */
  readonly quote?: string;
  /** Its code says nothing to anybody: nothing is to be looked up by it. */
  readonly codeless?: boolean;
  /** Buttons, below. */
  readonly children?: ReactNode;
}) {
  return (
    <div role="alert" className="min-w-0 border-l-2 border-error bg-error/6 px-3 py-2">
      <p className="font-medium break-words text-error">
        <span aria-hidden="true">× </span>
        <Sentence text={failure.message} />
      </p>
      {quote !== undefined && <p className="my-1 font-mono text-wire break-words">{visibleText(quote)}</p>}
      <p className="break-words">
        <Sentence text={failure.advice} />
      </p>
      {!codeless && <p className="font-mono text-small text-muted">{failure.code}</p>}
      {children && <div className="mt-2 flex flex-wrap gap-2">{children}</div>}
    </div>
  );
}
