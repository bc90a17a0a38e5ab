import { useMemo } from 'react';
import { JsonTree } from '@/components/untrusted/json-tree';
import { RenderGuard } from '@/components/untrusted/render-guard';
import { useLogState } from '@/lib/hooks/use-log';
import { messageSource } from '@/lib/store/answer-source';
import type { Log } from '@/lib/store/log';
import { JsonSource } from '@/lib/wire/json-source';

/** What the server declares it can do. */
export function Capabilities({ log }: { readonly log: Log }) {
  const { capabilities, seq } = useLogState(log, (state) => state.server);
  const none = capabilities === undefined || Object.keys(capabilities).length === 0;
  return (
    <section aria-label="Capabilities" className="min-w-0">
      <h2 className="mb-1 font-medium">Capabilities</h2>
      {none ? (
        <p className="text-muted">This server declares no capabilities.</p>
      ) : (
        <RenderGuard fallback={<p className="text-warn">! They are nested too deep to draw.</p>}>
          <Tree log={log} seq={seq} value={capabilities} />
        </RenderGuard>
      )}
    </section>
  );
}

/** As the server wrote them. */
function Tree({ log, seq, value }: { readonly log: Log; readonly seq: number | undefined; readonly value: unknown }) {
  const json = useMemo(() => {
    const answer = seq === undefined ? undefined : messageSource(log, seq, log.row(seq - 1).id);
    return answer?.member('result')?.member('capabilities') ?? JsonSource.of(value);
  }, [log, seq, value]);
  return <JsonTree json={json} />;
}
