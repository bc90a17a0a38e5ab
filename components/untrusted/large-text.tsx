import { type ReactNode, useMemo, useState } from 'react';
import { Button } from '@/components/ui/button';
import { CopyButton } from '@/components/ui/copy-button';
import { formatBytes } from '@/lib/wire/format-bytes';
import type { JsonSource } from '@/lib/wire/json-source';
import { cutText, textParts } from './cut-text';
import { TextRuns } from './untrusted-text';

/** From here on a text is not decoded whole to be shown. */
const LARGE = 1_000_000;
/** Characters shown at first, and with each press after that; laid out in parts. */
const FIRST = 64 * 1024;
const MORE = 256 * 1024;
const PART = 32 * 1024;

/** Whether a string is better shown by {@link LargeText}. */
export function isLargeText(json: JsonSource): boolean {
  return json.kind === 'string' && json.length > LARGE;
}

/** A string of many megabytes: only what is shown of it is decoded. */
export function LargeText({ json, heading }: { readonly json: JsonSource; readonly heading: ReactNode }) {
  const [shown, setShown] = useState(FIRST);
  const text = useMemo(() => json.stringStart(shown + 1), [json, shown]);
  return (
    <div className="min-w-0">
      <div className="mb-1 flex flex-wrap items-center gap-x-2">
        {heading}
        <span className="flex-1" />
        <CopyButton text={() => String(json.value)} label="Copy" />
      </div>
      <pre className="font-mono text-wire break-words whitespace-pre-wrap" dir="auto">
        {textParts(cutText(text, shown), PART, Number.POSITIVE_INFINITY).map((part, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: parts never move
          <TextRuns key={index} text={part} />
        ))}
      </pre>
      {text.length > shown && (
        <Button size="small" onClick={() => setShown(shown + MORE)}>
          Show more of {formatBytes(json.length)}
        </Button>
      )}
    </div>
  );
}
