import { type ReactNode, useMemo, useState } from 'react';
import { Button, CopyButton } from '@/components/ui/button';
import type { JsonSource } from '@/lib/json/source';
import { formatBytes, formatCount } from '@/lib/wire/format';
import { shortenText, TextRuns, textParts } from './untrusted-text';

/** Characters of one part; few enough to lay out without a pause. */
const PART_CHARACTERS = 32 * 1024;
/** Parts added by each press of "more". */
const PARTS_ADDED = 8;

/** Text of any length with hidden characters as escapes, shown in parts with a button for more. */
export function LongText({ text }: { readonly text: string }) {
  const [count, setCount] = useState(2);
  const parts = useMemo(() => textParts(text, PART_CHARACTERS, count), [text, count]);
  const left = text.length - parts.reduce((sum, part) => sum + part.length, 0);
  return (
    <div>
      <pre className="font-mono text-wire break-words whitespace-pre-wrap" dir="auto">
        {parts.map((part, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: parts never move
          <TextRuns key={index} text={part} />
        ))}
      </pre>
      {left > 0 && (
        <Button size="small" onClick={() => setCount(count + PARTS_ADDED)}>
          Show {formatCount(Math.min(left, PART_CHARACTERS * PARTS_ADDED))} more of {formatCount(left)} characters
        </Button>
      )}
    </div>
  );
}

/** Longest string to decode completely, in characters. */
const MAX_DECODED = 1_000_000;
/** Characters shown initially, and added by each press of "more". */
const FIRST_CHARACTERS = 64 * 1024;
const ADDED_CHARACTERS = 256 * 1024;

/** Returns true if a string should be shown by {@link LargeText}. */
export function isLargeText(json: JsonSource): boolean {
  return json.kind === 'string' && json.length > MAX_DECODED;
}

/** A string of many megabytes. Decodes only the part that is shown. */
export function LargeText({ json, heading }: { readonly json: JsonSource; readonly heading: ReactNode }) {
  const [shown, setShown] = useState(FIRST_CHARACTERS);
  const text = useMemo(() => json.stringStart(shown + 1), [json, shown]);
  return (
    <div className="min-w-0">
      <div className="mb-1 flex flex-wrap items-center gap-x-2">
        {heading}
        <span className="flex-1" />
        <CopyButton text={() => String(json.value)} label="Copy" />
      </div>
      <pre className="font-mono text-wire break-words whitespace-pre-wrap" dir="auto">
        {textParts(shortenText(text, shown), PART_CHARACTERS, Number.POSITIVE_INFINITY).map((part, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: parts never move
          <TextRuns key={index} text={part} />
        ))}
      </pre>
      {text.length > shown && (
        <Button size="small" onClick={() => setShown(shown + ADDED_CHARACTERS)}>
          Show more of {formatBytes(json.length)}
        </Button>
      )}
    </div>
  );
}
