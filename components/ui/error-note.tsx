import type { ReactNode } from 'react';

/** What happened, in one sentence, and what to do next. The shape is that of a `Failure`. */
export function ErrorNote({
  failure,
  children,
}: {
  readonly failure: { readonly code: string; readonly message: string; readonly advice: string };
  /** Buttons, below. */
  readonly children?: ReactNode;
}) {
  return (
    <div role="alert" className="min-w-0 border-l-2 border-error bg-error/6 px-3 py-2">
      <p className="font-medium break-words text-error">
        <span aria-hidden="true">× </span>
        {failure.message}
      </p>
      <p className="break-words">{failure.advice}</p>
      <p className="font-mono text-small text-muted">{failure.code}</p>
      {children && <div className="mt-2 flex flex-wrap gap-2">{children}</div>}
    </div>
  );
}
