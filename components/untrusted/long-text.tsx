import { useMemo, useState } from 'react';
import { Button } from '@/components/ui/button';
import { formatCount } from '@/components/ui/format';
import { textParts } from './cut-text';
import { TextRuns } from './untrusted-text';

/** Characters of one part: a line of this length still wraps without a pause. */
const PART = 32 * 1024;
/** Parts that one press adds. */
const MORE = 8;

/** Text of any length, as it is, hidden characters as escapes. What is off the screen is not laid out. */
export function LongText({ text }: { readonly text: string }) {
  const [count, setCount] = useState(2);
  const parts = useMemo(() => textParts(text, PART, count), [text, count]);
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
        <Button size="small" onClick={() => setCount(count + MORE)}>
          Show {formatCount(Math.min(left, PART * MORE))} more of {formatCount(left)} characters
        </Button>
      )}
    </div>
  );
}
