import { JsonTree } from '@/components/ui/json-tree';
import { RenderGuard } from '@/components/untrusted/render-guard';
import { useLogState } from '@/lib/hooks/use-log';
import type { Log } from '@/lib/store/log';

/** What the server declares it can do. */
export function Capabilities({ log }: { readonly log: Log }) {
  const capabilities = useLogState(log, (state) => state.server.capabilities);
  const none = capabilities === undefined || Object.keys(capabilities).length === 0;
  return (
    <section aria-label="Capabilities" className="min-w-0">
      <h2 className="mb-1 font-medium">Capabilities</h2>
      {none ? (
        <p className="text-muted">This server declares no capabilities.</p>
      ) : (
        <RenderGuard fallback={<p className="text-warn">! They are nested too deep to draw.</p>}>
          <JsonTree value={capabilities} />
        </RenderGuard>
      )}
    </section>
  );
}
