import { type ReactNode, useMemo, useState } from 'react';
import { CopyButton, Segmented } from '@/components/ui/button';
import { JsonSource } from '@/lib/json/source';
import { formatCount } from '@/lib/wire/format';
import { JsonTree } from './json-tree';
import { LongText } from './long-text';
import { Markdown } from './markdown';

/** Longer text is not read as JSON: it would keep the page from anything else meanwhile. */
const MOST_PARSED = 1_000_000;

type Reading = 'Text' | 'JSON' | 'Markdown';

/** A server's text with the readings it allows: as it is, as a JSON tree if it is JSON, as Markdown if it says so. */
export function TextOrJson({
  text,
  mimeType,
  heading,
}: {
  readonly text: string;
  readonly mimeType?: string;
  /** What the text is; its readings stand on the same line. */
  readonly heading: ReactNode;
}) {
  const json = useMemo(() => (text.length <= MOST_PARSED ? parsed(text) : undefined), [text]);
  const markdown = mimeType !== undefined && /markdown/i.test(mimeType);
  const readings: readonly Reading[] = [...(json ? ['JSON' as const] : markdown ? ['Markdown' as const] : []), 'Text'];
  const [chosen, setChosen] = useState<Reading>();
  const reading = chosen !== undefined && readings.includes(chosen) ? chosen : readings[0]!;
  return (
    <div className="min-w-0">
      <div className="mb-1 flex flex-wrap items-center gap-x-2">
        {heading}
        <span className="flex-1" />
        {readings.length > 1 && (
          <Segmented label="View of the text" names={readings} chosen={reading} onChoose={setChosen} />
        )}
        <CopyButton text={() => text} label="Copy" />
      </div>
      {text.length > MOST_PARSED && looksLikeJson(text) && (
        <p className="mb-1 text-muted">
          This looks like JSON and is shown as text, since it has more than {formatCount(MOST_PARSED)} characters: it
          has {formatCount(text.length)}. In the message log, Pretty reads it however long it is.
        </p>
      )}
      {reading === 'JSON' && json && <JsonTree json={json} />}
      {reading === 'Markdown' && <Markdown text={text} />}
      {reading === 'Text' && <LongText text={text} />}
    </div>
  );
}

/** The text as JSON if it is an object or an array: a bare word or number is better read as text. */
function parsed(text: string): JsonSource | undefined {
  return looksLikeJson(text) ? JsonSource.parse(text) : undefined;
}

function looksLikeJson(text: string): boolean {
  return /^\s*[[{]/.test(text);
}
