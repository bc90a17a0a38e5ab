import { Badge } from '@/components/ui/badge';
import { Button } from '@/components/ui/button';
import { visibleText } from '@/components/ui/visible-text';
import { UntrustedText } from '@/components/untrusted/untrusted-text';
import type { CallComparison } from '@/lib/compare/call-diff';
import { callName } from '@/lib/compare/compare-sessions';
import type { Difference } from '@/lib/compare/value-diff';
import type { Sides } from './side';
import { BothFrames } from './side-frame';

const KINDS: Readonly<Record<Difference['kind'], string>> = {
  missing: 'gone',
  added: 'new',
  changed: 'changed',
  type: 'other type',
};

/** A call and where its two answers differ. */
export function CallItem({
  call,
  sides,
  onShow,
}: {
  readonly call: CallComparison;
  readonly sides: Sides;
  /** Shows both answers beside each other. */
  readonly onShow: () => void;
}) {
  const { before, after, verdict, ends, differences } = call;
  const name = callName((before ?? after)!);
  return (
    <li className="border-b border-line px-3 py-1.5">
      <p className="flex flex-wrap items-baseline gap-x-2">
        <span className="min-w-0 font-medium">
          <UntrustedText text={name} limit={200} />
        </span>
        <BothFrames sides={sides} seqs={[before?.seq, after?.seq]} />
        {verdict === 'only-before' && <Badge tone="warn">only before</Badge>}
        {verdict === 'only-after' && <Badge tone="warn">only after</Badge>}
        {verdict === 'different' && before?.answer && after?.answer && (
          <Button
            size="small"
            variant="ghost"
            onClick={onShow}
            aria-label={`Compare the answers to ${visibleText(name)}`}
          >
            Compare answers
          </Button>
        )}
      </p>
      <ul className="font-mono text-wire">
        {ends && (
          <li>
            <span className="text-warn">ended otherwise</span> <Values before={ends[0]} after={ends[1]} />
          </li>
        )}
        {differences.map(({ kind, path, before, after }, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: differences of one comparison stay where they are
          <li key={at} className="break-words">
            <span className="text-warn">{KINDS[kind]}</span> <UntrustedText text={path || 'the answer'} limit={300} />{' '}
            <Values before={before} after={after} />
          </li>
        ))}
      </ul>
    </li>
  );
}

function Values({ before, after }: { readonly before: string; readonly after: string }) {
  return (
    <>
      {before !== '' && (
        <del className="text-error">
          <UntrustedText text={before} limit={300} />
        </del>
      )}
      {before !== '' && after !== '' && <span aria-hidden="true"> → </span>}
      {after !== '' && (
        <ins className="text-ok no-underline">
          <UntrustedText text={after} limit={300} />
        </ins>
      )}
    </>
  );
}
