import { Dialog } from '@/components/ui/dialog';
import { UntrustedText } from '@/components/untrusted/untrusted-text';
import { useLocation } from '@/lib/hooks/location';
import { useLogSize } from '@/lib/hooks/log';
import type { Latency } from '@/lib/store/exchanges/latencies';
import type { Log } from '@/lib/store/log';
import { formatCount, formatDuration } from '@/lib/wire/format';
import { FEWEST_FOR_QUANTILES, singlesText } from '@/lib/wire/spread';

/** A dialog with the latency of our requests by method. */
export function LatencyDialog({ log, onClose }: { readonly log: Log; readonly onClose: () => void }) {
  useLogSize(log);
  const { navigate } = useLocation();
  return (
    <Dialog title="Latency by method" onClose={onClose}>
      <LatencyTable
        latencies={log.latencies.table()}
        calls={log.latencies.calls}
        onMethod={(method) => {
          onClose();
          navigate({ filter: methodTerm(method) });
        }}
      />
      <p className="mt-2 text-small text-muted">
        Time from request to response, measured at the transport. Fewer than {FEWEST_FOR_QUANTILES} times are shown one
        by one; p50 and p95 are accurate to 1.1 %. The count includes requests without a response. The probe of
        mcp-inspect (server/discover in auto mode) is left out, and so is the time that people took.
      </p>
    </Dialog>
  );
}

/** Returns the filter term for a method, quoted unless it is plain. */
function methodTerm(method: string): string {
  return /^[\w./$-]+$/.test(method) ? `method:${method}` : `method:"${method.replace(/["\\]/g, '\\$&')}"`;
}

/** A row for all calls of tools, resources and prompts, then one per method, which filters the log when clicked. */
export function LatencyTable({
  latencies,
  calls,
  onMethod,
}: {
  readonly latencies: readonly Latency[];
  readonly calls: Log['latencies']['calls'];
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
        {calls.count > 0 && (
          <tr className="border-b border-line text-right whitespace-nowrap">
            <th scope="row" className="w-full max-w-0 truncate text-left font-normal">
              Calls of tools, resources and prompts
            </th>
            <td colSpan={2} />
            <Times
              singles={calls.singles}
              p50={calls.quantile(0.5)}
              p95={calls.quantile(0.95)}
              max={calls.quantile(1)}
            />
          </tr>
        )}
        {rows.map(({ method, count, errors, ...times }) => (
          <tr key={method ?? ''} className="border-b border-line text-right whitespace-nowrap">
            <th scope="row" className="w-full max-w-0 truncate text-left font-mono font-normal">
              {method === undefined ? (
                'other methods'
              ) : (
                <button
                  type="button"
                  onClick={() => onMethod(method)}
                  className="h-6 max-w-full truncate text-accent hover:underline"
                >
                  <UntrustedText text={method} limit={120} />
                </button>
              )}
            </th>
            <td className="pl-3">{formatCount(count)}</td>
            <td className={`pl-3 ${errors > 0 ? 'text-error' : 'text-muted'}`}>{formatCount(errors)}</td>
            <Times {...times} />
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** The last three cells of a row: each duration if there are few, or else their quantiles. */
function Times({ singles, p50, p95, max }: Pick<Latency, 'singles' | 'p50' | 'p95' | 'max'>) {
  if (singles) {
    return (
      <td colSpan={3} className="pl-3 whitespace-normal">
        {singlesText(singles)}
      </td>
    );
  }
  return [p50, p95, max].map((us, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: three fixed columns
    <td key={at} className="pl-3">
      {us === undefined ? '–' : formatDuration(us)}
    </td>
  ));
}
