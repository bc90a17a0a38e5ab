import { Fragment, type ReactNode } from 'react';
import { visibleText } from './visible-text';

/** What would be here, and how to get it. */
export function EmptyState({ title, children }: { readonly title: string; readonly children?: ReactNode }) {
  return (
    <div className="flex h-full min-h-24 flex-col items-center justify-center gap-2 p-6 text-center">
      <p className="font-medium">{title}</p>
      {children && <div className="max-w-[60ch] text-muted">{children}</div>}
    </div>
  );
}

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

interface SentenceProps {
  readonly text: string;
  /** Draws a piece of it; where it may quote others, that has to be by what they can't harm. As it is if absent. */
  readonly draw?: (text: string) => ReactNode;
}

/** A sentence of ours: what stands between backticks in it is code. */
export function Sentence({ text, draw = (piece) => piece }: SentenceProps) {
  return codeParts(text).map((part, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a sentence have nothing but their order
    <Fragment key={index}>{part.code ? <code>{draw(part.text)}</code> : draw(part.text)}</Fragment>
  ));
}

/** A piece of a sentence; `code` is what stands between backticks in it. */
export interface SentencePart {
  readonly code: boolean;
  readonly text: string;
}

/** A sentence as it is drawn: what is between two backticks is code. One that has no other half is a character like any other. */
export function codeParts(sentence: string): readonly SentencePart[] {
  const texts = sentence.split('`');
  if (texts.length % 2 === 0) texts.push(texts.splice(-2).join('`'));
  return texts.map((text, index) => ({ code: index % 2 === 1, text })).filter(({ text }) => text !== '');
}

/** Stands for the text of a message that left the page because the log is long. */
export function TextNotLoaded({ gone }: { readonly gone: boolean }) {
  return (
    <p role="status" className="p-2 text-muted">
      {gone
        ? 'The text of this message is no longer available: it left this page, which holds the newest of a long log, and the connection or the link to it is gone.'
        : 'The text of this message left this page, which holds the newest of a long log. It is being fetched…'}
    </p>
  );
}

/** Something is going on. `label` says what, for screen readers; without it the text beside says so. */
export function Spinner({ label }: { readonly label?: string }) {
  return (
    <span role={label ? 'status' : undefined} className="inline-flex items-center">
      <span
        aria-hidden="true"
        className="inline-block size-3 animate-spin rounded-full border-[1.5px] border-line border-t-accent"
      />
      {label && <span className="sr-only">{label}</span>}
    </span>
  );
}
