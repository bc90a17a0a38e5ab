import { formatCount, formatDuration } from '@/components/ui/format';
import { UntrustedText } from '@/components/untrusted/untrusted-text';
import type { Latency } from '@/lib/store/latencies';

/** How our requests went, a row a method; a method is a button that filters by it. */
export function LatencyTable({
  latencies,
  onMethod,
}: {
  readonly latencies: readonly Latency[];
  readonly onMethod: (method: string) => void;
}) {
  const rows = [...latencies].sort((a, b) => (b.max ?? -1) - (a.max ?? -1));
  return (
    <table className="tabular w-full text-small">
      <thead>
        <tr className="border-b border-line text-right text-muted">
          <th scope="col" className="py-1 text-left font-normal">
            Method
          </th>
          {['Count', 'Errors', 'p50', 'p95', 'Max'].map((title) => (
            <th key={title} scope="col" className="py-1 pl-3 font-normal">
              {title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(({ method, count, errors, p50, p95, max }) => (
          <tr key={method ?? ''} className="border-b border-line text-right whitespace-nowrap">
            <th scope="row" className="w-full max-w-0 truncate py-1 text-left font-mono font-normal">
              {method === undefined ? (
                'all other methods'
              ) : (
                <button type="button" onClick={() => onMethod(method)} className="text-accent hover:underline">
                  <UntrustedText text={method} limit={120} />
                </button>
              )}
            </th>
            <td className="pl-3">{formatCount(count)}</td>
            <td className={`pl-3 ${errors > 0 ? 'text-error' : 'text-muted'}`}>{formatCount(errors)}</td>
            {[p50, p95, max].map((us, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: three columns that never change places
              <td key={at} className="pl-3">
                {us === undefined ? '–' : formatDuration(us)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
