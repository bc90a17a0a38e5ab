import { useLogState } from '@/lib/hooks/use-log';
import type { Log } from '@/lib/store/log';
import { AuthorizationFacts } from './authorization-facts';
import { Capabilities } from './capabilities';
import { Identity } from './identity';
import { LifecycleList } from './lifecycle-list';
import { ProcessFacts } from './process-facts';
import { StderrView } from './stderr-view';

/** What is known of the server besides its tools: who it says it is, what runs, what happened to it, what it printed. */
export function ServerPanel({ log }: { readonly log: Log }) {
  const atUrl = useLogState(log, ({ connection: { start } }) => start !== undefined && start.transport !== 'stdio');
  return (
    <div className="@container min-h-0 flex-1 overflow-auto p-3">
      <div className="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-4 @3xl:grid-cols-2">
        <div className="flex min-w-0 flex-col gap-4">
          <Identity log={log} />
          <Capabilities log={log} />
        </div>
        <div className="flex min-w-0 flex-col gap-4">
          <ProcessFacts log={log} />
          <AuthorizationFacts log={log} />
          <LifecycleList log={log} />
          {!atUrl && <StderrView log={log} />}
        </div>
      </div>
    </div>
  );
}
