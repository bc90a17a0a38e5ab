import { Dialog } from '@/components/ui/dialog';
import { useLocation } from '@/lib/hooks/use-location';
import { useLogSize } from '@/lib/hooks/use-log';
import type { Log } from '@/lib/store/log';
import { LatencyTable } from './latency-table';

/** How long our requests took, by method. */
export function LatencyDialog({ log, onClose }: { readonly log: Log; readonly onClose: () => void }) {
  useLogSize(log);
  const { navigate } = useLocation();
  return (
    <Dialog title="Latency by method" onClose={onClose}>
      <LatencyTable
        latencies={log.latencies.table()}
        onMethod={(method) => {
          onClose();
          navigate({ filter: methodTerm(method) });
        }}
      />
      <p className="mt-2 text-small text-muted">
        Of our requests, from request to answer as seen at the tap. p50 and p95 are within 1.1 %; what was given up
        counts, but has no time.
      </p>
    </Dialog>
  );
}

/** A method may hold anything, so it is quoted where it isn't plain. */
function methodTerm(method: string): string {
  return /^[\w./$-]+$/.test(method) ? `method:${method}` : `method:"${method.replace(/["\\]/g, '\\$&')}"`;
}
