import { countOf } from '@/lib/wire/format';

/** The estimated tokens of definitions in a model's context, before and after a change. */
export function TokenChange({ before, after }: { readonly before: number; readonly after: number }) {
  const difference = after - before;
  return (
    <span className="tabular text-small text-muted" title="Estimated from name, description and inputSchema">
      ~{countOf(before, 'token')}
      {difference !== 0 && (
        <>
          {' '}
          → ~{countOf(after, 'token')}{' '}
          <span className={difference < 0 ? 'text-ok' : 'text-warn'}>
            ({difference < 0 ? '−' : '+'}
            {Math.abs(difference)})
          </span>
        </>
      )}
    </span>
  );
}
