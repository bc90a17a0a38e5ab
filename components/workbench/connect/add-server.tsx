import { useMemo } from 'react';
import { useClient } from '@/lib/hooks/client';
import { useDraft } from '@/lib/hooks/drafts';
import { ConnectForm } from './connect-form';
import { draftOfKept, type KeptDraft, keptDraft } from './kept-draft';
import { draftOfServer, type ServerDraft } from './server-draft';
import { ServerList } from './server-list';

/** The form for a new server and, beside it, the servers that are known already. */
export function AddServer({
  draft: typed,
  onDraft,
  onConnected,
}: {
  /** Absent until the user types something. */
  readonly draft: ServerDraft | undefined;
  readonly onDraft: (draft: ServerDraft | undefined) => void;
  readonly onConnected: (connection: string) => void;
}) {
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
  const form = <ConnectForm key={draft?.base?.id} draft={draft} onDraft={change} onConnected={connected} />;
  // Without a proxy nothing keeps or finds servers.
  if (status === 'none') return <div className="max-w-[720px]">{form}</div>;
  return (
    <div className="@container">
      <div className="grid gap-6 @[720px]:grid-cols-2 @[720px]:gap-8">
        {form}
        <div className="min-w-0 @[720px]:border-l @[720px]:border-line @[720px]:pl-8">
          <ServerList onConnected={connected} onEdit={(server) => change(draftOfServer(server))} />
        </div>
      </div>
    </div>
  );
}
