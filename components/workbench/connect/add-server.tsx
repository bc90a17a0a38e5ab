import { useMemo } from 'react';
import { useClient } from '@/lib/hooks/client';
import { useDraft } from '@/lib/hooks/drafts';
import { ConnectForm } from './connect-form';
import { draftOfKept, type KeptDraft, keptDraft } from './kept-draft';
import { LiveSessions } from './live-sessions';
import { draftOfServer, type ServerDraft } from './server-draft';
import { ServerListView } from './server-list';

interface AddServerProps extends Readonly<Parameters<typeof ConnectForm>[0]> {
  /** Shows another connection. Then the sessions of taps are listed too. */
  readonly onShow?: (connection: string) => void;
}

/** The form for a new server and, below it, the servers that are known already. */
export function AddServer({ draft: typed, onDraft, onConnected, onShow }: AddServerProps) {
  const { status } = useClient();
  // After a reload only this is left.
  const [kept, keep] = useDraft<KeptDraft | null>('add server', null);
  const draft = useMemo(() => typed ?? (kept ? draftOfKept(kept) : undefined), [typed, kept]);
  const change = (next: ServerDraft | undefined) => {
    onDraft(next);
    keep(next ? keptDraft(next) : null);
  };
  const connected = (connection: string) => {
    keep(null);
    onConnected(connection);
  };
  return (
    <div className="flex min-w-0 flex-col gap-6">
      <ConnectForm key={draft?.base?.id} draft={draft} onDraft={change} onConnected={connected} />
      {onShow && <LiveSessions onShow={onShow} />}
      {/* Without a proxy nothing keeps or finds servers. */}
      {status !== 'none' && (
        <ServerListView onConnected={connected} onEdit={(server) => change(draftOfServer(server))} />
      )}
    </div>
  );
}
