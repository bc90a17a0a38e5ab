import { UntrustedText } from '@/components/untrusted/untrusted-text';
import type { PinDifference } from '@/lib/wire/pins';

const LABELS: Readonly<Record<PinDifference['kind'], string>> = {
  missing: 'removed',
  added: 'added',
  changed: 'changed',
  type: 'type changed',
};

/** The places where two responses differ, one a line. */
export function DifferenceList({
  ends,
  differences,
}: {
  /** How the calls ended, if differently. */
  readonly ends: readonly [before: string, after: string] | undefined;
  readonly differences: readonly PinDifference[];
}) {
  return (
    <ul className="font-mono text-wire">
      {ends && (
        <li>
          <span className="text-warn">outcome</span> <Values before={ends[0]} after={ends[1]} />
        </li>
      )}
      {differences.map(({ kind, path, before, after }, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: differences of one comparison stay where they are
        <li key={at} className="break-words">
          <span className="text-warn">{LABELS[kind]}</span> <UntrustedText text={path || 'response'} limit={300} />{' '}
          <Values before={before} after={after} />
        </li>
      ))}
    </ul>
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
