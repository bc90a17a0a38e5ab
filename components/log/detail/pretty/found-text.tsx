import { formatCount } from '@/components/ui/format';
import { TextRuns } from '@/components/untrusted/untrusted-text';
import type { FoundPart } from './found-part';

/** A long text from a little before what is searched for, which is marked. */
export function FoundText({ text, part: { from, to, hits } }: { readonly text: string; readonly part: FoundPart }) {
  const ends = [from, ...hits.map(([, end]) => end)];
  return (
    <>
      {from > 0 && <p className="text-muted">{formatCount(from)} characters before</p>}
      <pre className="font-mono text-wire break-words whitespace-pre-wrap" dir="auto">
        {ends.map((end, place) => {
          const hit = hits[place];
          return (
            <span key={end}>
              <TextRuns text={text.slice(end, hit?.[0] ?? to)} />
              {hit && (
                <mark className="rounded-sm bg-warn/30 text-text">
                  <TextRuns text={text.slice(...hit)} />
                </mark>
              )}
            </span>
          );
        })}
      </pre>
      {to < text.length && <p className="text-muted">{formatCount(text.length - to)} characters after</p>}
    </>
  );
}
