import { useMemo, useState } from 'react';
import { Button } from '@/components/ui/button';
import { CopyButton } from '@/components/ui/copy-button';
import { JsonTree } from '@/components/ui/json-tree';
import { LongText } from './long-text';
import { Markdown } from './markdown';

/** Longer text is not parsed unasked. */
const PARSED_UNASKED = 1_000_000;

type Reading = 'Text' | 'JSON' | 'Markdown';

/** A server's text with the readings it allows: as it is, as a JSON tree if it is JSON, as Markdown if it says so. */
export function TextOrJson({ text, mimeType }: { readonly text: string; readonly mimeType?: string }) {
  const json = useMemo(() => (text.length <= PARSED_UNASKED ? parsed(text) : undefined), [text]);
  const markdown = mimeType !== undefined && /markdown/i.test(mimeType);
  const readings: readonly Reading[] = [...(json ? ['JSON' as const] : markdown ? ['Markdown' as const] : []), 'Text'];
  const [chosen, setChosen] = useState<Reading>();
  const reading = chosen !== undefined && readings.includes(chosen) ? chosen : readings[0]!;
  return (
    <div className="min-w-0">
      <div className="flex items-center gap-1">
        {readings.length > 1 &&
          readings.map((name) => (
            <Button
              key={name}
              size="small"
              variant={name === reading ? 'plain' : 'ghost'}
              aria-pressed={name === reading}
              onClick={() => setChosen(name)}
            >
              {name}
            </Button>
          ))}
        <span className="flex-1" />
        <CopyButton text={() => text} label="Copy" />
      </div>
      {reading === 'JSON' && json && <JsonTree value={json.value} />}
      {reading === 'Markdown' && <Markdown text={text} />}
      {reading === 'Text' && <LongText text={text} />}
    </div>
  );
}

/** The value if the text is a JSON object or array: a bare word or number is better read as text. */
function parsed(text: string): { value: unknown } | undefined {
  if (!/^\s*[[{]/.test(text)) return undefined;
  try {
    return { value: JSON.parse(text) };
  } catch {
    return undefined;
  }
}
