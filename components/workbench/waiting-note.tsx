import { useEffect } from 'react';
import { navigate } from '@/lib/hooks/use-location';
import type { ConnectionSummary } from '@/lib/wire/command';

/** How many questions of any server wait for the person: in the status bar, as a way there, and in the tab's title. */
export function WaitingNote({
  connections,
  selected,
}: {
  readonly connections: readonly ConnectionSummary[];
  readonly selected: ConnectionSummary | undefined;
}) {
  const asking = connections.filter(({ waiting }) => waiting !== undefined);
  const count = asking.reduce((sum, { waiting = 0 }) => sum + waiting, 0);
  useEffect(() => {
    document.title = count === 0 ? 'mcp-inspect' : `(${count}) mcp-inspect`;
  }, [count]);
  const first = asking.find(({ id }) => id === selected?.id) ?? asking[0];
  return (
    <span role="status">
      {first && (
        <button
          type="button"
          className="font-medium text-accent hover:underline"
          onClick={() => navigate({ connection: first.id, panel: 'inbox', item: undefined })}
        >
          {count} {count === 1 ? 'question waits' : 'questions wait'} for you
        </button>
      )}
    </span>
  );
}
