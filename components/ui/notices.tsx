import { Fragment, type ReactNode } from 'react';
import { visibleText } from './visible-text';

/** Says what will appear here and how to get it. */
export function EmptyState({ title, children }: { readonly title: string; readonly children?: ReactNode }) {
  return (
    <div className="flex h-full min-h-24 flex-col items-center justify-center gap-2 p-6 text-center">
      <p className="font-medium">{title}</p>
      {children && <div className="max-w-[60ch] text-muted">{children}</div>}
    </div>
  );
}

/** An error: what happened, then what to do. Takes a `Failure`. */
export function ErrorNote({
  failure,
  said,
  quote,
  codeless = false,
  children,
}: {
  readonly failure: { readonly code: string; readonly message: string; readonly advice: string };
  /** The line with which the other side names the cause, shown verbatim and first. */
  readonly said?: string | undefined;
  /** The other side's own words, shown verbatim. */
  readonly quote?: string | undefined;
  /** Hides the code if looking it up would not help. */
  readonly codeless?: boolean;
  /** Buttons below the text. */
  readonly children?: ReactNode;
}) {
  return (
    <div role="alert" className="min-w-0 border-l-2 border-error bg-error/6 px-3 py-2">
      {said !== undefined && <p className="mb-1 font-mono text-wire break-words text-error">{visibleText(said)}</p>}
      <p className="font-medium break-words text-error">
        <span aria-hidden="true">× </span>
        <Sentence text={failure.message} />
      </p>
      {quote !== undefined && <p className="my-1 font-mono text-wire break-words">{visibleText(quote)}</p>}
      <p className="break-words">
        <Sentence text={failure.advice} />
      </p>
      {!codeless && (
        <p className="text-small text-muted">
          Code: <span className="font-mono">{failure.code}</span>
        </p>
      )}
      {children && <div className="mt-2 flex flex-wrap gap-2">{children}</div>}
    </div>
  );
}

interface SentenceProps {
  readonly text: string;
  /** Draws each piece. Absent: with hidden characters as escapes, because it may quote a server. */
  readonly draw?: (text: string) => ReactNode;
}

/** A sentence written by us, with the text between backticks as code. */
export function Sentence({ text, draw = visibleText }: SentenceProps) {
  return codeParts(text).map((part, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts have no other identity
    <Fragment key={index}>{part.code ? <code>{draw(part.text)}</code> : draw(part.text)}</Fragment>
  ));
}

/** Returns a sentence written by us without its backticks, for tooltips. */
export function plainSentence(text: string): string {
  return codeParts(text)
    .map((part) => part.text)
    .join('');
}

/** Splits a sentence at pairs of backticks; the text between a pair is code. An unpaired backtick is kept as text. */
export function codeParts(sentence: string): readonly { readonly code: boolean; readonly text: string }[] {
  const texts = sentence.split('`');
  if (texts.length % 2 === 0) texts.push(texts.splice(-2).join('`'));
  return texts.map((text, index) => ({ code: index % 2 === 1, text })).filter(({ text }) => text !== '');
}

/** Shown in place of a message whose text this page dropped because the log is long. */
export function TextNotLoaded({ gone }: { readonly gone: boolean }) {
  return (
    <p role="status" className="p-2 text-muted">
      {gone
        ? 'This old message is no longer in the page, and mcp-inspect can’t fetch it any more.'
        : 'Fetching this old message, which is no longer in the page…'}
    </p>
  );
}

/** A spinner. `label` names the work for screen readers; leave it out if text next to it does. */
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
