import { type ReactNode, useMemo, useState } from 'react';
import { CopyButton, Segmented } from '@/components/ui/button';
import { JsonSource } from '@/lib/json/source';
import { formatCount } from '@/lib/wire/format';
import { JsonTree } from './json-tree';
import { LongText } from './long-text';
import { Markdown } from './markdown';

/** Longest text to parse as JSON, in characters; more would block the page. */
const MAX_PARSED = 1_000_000;

type Reading = 'Text' | 'JSON' | 'Markdown';

/** A server's text with a choice of views: text, a JSON tree if it is JSON, Markdown if its type says so. */
export function TextOrJson({
  text,
  mimeType,
  heading,
}: {
  readonly text: string;
  readonly mimeType?: string;
  /** Shown on one line with the choice of views. */
  readonly heading: ReactNode;
}) {
  const json = useMemo(() => (text.length <= MAX_PARSED ? parsed(text) : undefined), [text]);
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
      {text.length > MAX_PARSED && looksLikeJson(text) && (
        <p className="mb-1 text-muted">
          Too long to show as JSON ({formatCount(text.length)} characters, limit {formatCount(MAX_PARSED)}). The Pretty
          tab of the message log shows JSON of any length.
        </p>
      )}
      {reading === 'JSON' && json && <JsonTree json={json} />}
      {reading === 'Markdown' && <Markdown text={text} />}
      {reading === 'Text' && <LongText text={text} />}
    </div>
  );
}

/** Parses an object or array. A plain string or number is better shown as text. */
function parsed(text: string): JsonSource | undefined {
  return looksLikeJson(text) ? JsonSource.parse(text) : undefined;
}

function looksLikeJson(text: string): boolean {
  return /^\s*[[{]/.test(text);
}
