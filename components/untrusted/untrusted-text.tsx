import { memo, useMemo, useState } from 'react';
import { Button } from '@/components/ui/button';
import { classNames } from '@/components/ui/class-names';
import { textRuns } from '@/components/ui/visible-text';
import { countOf } from '@/lib/wire/format';

interface UntrustedTextProps {
  readonly text: string;
  /** Characters shown initially. */
  readonly limit?: number;
  readonly className?: string;
}

/** Characters added by each press of "more". */
const STEP = 50_000;

/**
 * A server's text, inline. Hidden and direction-changing characters are shown as escapes. A `<bdi>` keeps right-to-left
 * text from reordering what is next to it. Long text is cut, with a button for more.
 */
export function UntrustedText({ text, limit = 2_000, className }: UntrustedTextProps) {
  const [shown, setShown] = useState(limit);
  const cut = shortenText(text, shown);
  return (
    <bdi className={classNames('break-words', className)}>
      <TextRuns text={cut} />
      {cut.length < text.length && (
        <Button variant="ghost" size="small" onClick={() => setShown(shown + STEP)}>
          … {countOf(text.length - cut.length, 'more character')}
        </Button>
      )}
    </bdi>
  );
}

/** Text with hidden characters as marked escapes. */
export const TextRuns = memo(function TextRuns({ text }: { readonly text: string }) {
  const runs = useMemo(() => textRuns(text), [text]);
  let at = 0;
  return runs.map((run) => {
    const key = at;
    at += run.text.length;
    if (!run.escaped) return run.text;
    return (
      <span key={key} title="Hidden characters, shown as escapes" className="rounded-sm bg-warn/12 text-warn">
        {run.text}
      </span>
    );
  });
});

/** A paragraph of a server's text that keeps line breaks, aligned at the start of its own direction. */
export function PreformattedText({ text }: { readonly text: string }) {
  return (
    <p className="whitespace-pre-wrap">
      <UntrustedText text={text} className="block" />
    </p>
  );
}

/** Cuts text at `limit` UTF-16 units without splitting a surrogate pair. */
export function shortenText(text: string, limit: number): string {
  return text.slice(0, characterBreak(text, limit));
}

/** Returns the largest index ≤ `index` that does not split a surrogate pair. */
function characterBreak(text: string, index: number): number {
  if (index >= text.length) return text.length;
  const before = text.charCodeAt(index - 1);
  return before >= 0xd800 && before < 0xdc00 ? index - 1 : index;
}

/** Returns the first `count` parts of a text cut into parts of at most `size` UTF-16 units. */
export function textParts(text: string, size: number, count: number): readonly string[] {
  const parts: string[] = [];
  for (let at = 0; at < text.length && parts.length < count; ) {
    const end = characterBreak(text, at + size);
    parts.push(text.slice(at, end));
    at = end;
  }
  return parts;
}
