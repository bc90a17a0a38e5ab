import { useClient } from '@/lib/hooks/client';
import { ConnectForm } from './connect-form';
import { draftOfServer, type ServerDraft } from './server-draft';
import { ServerList } from './server-list';

/** The form for a new server and, beside it, the servers that are known already. */
export function AddServer({
  draft,
  onDraft,
  onConnected,
}: {
  /** Absent until the user types something. */
  readonly draft: ServerDraft | undefined;
  readonly onDraft: (draft: ServerDraft | undefined) => void;
  readonly onConnected: (connection: string) => void;
}) {
  const { status } = useClient();
  const form = <ConnectForm key={draft?.base?.id} draft={draft} onDraft={onDraft} onConnected={onConnected} />;
  // Without a proxy nothing keeps or finds servers.
  if (status === 'none') return <div className="max-w-[720px]">{form}</div>;
  return (
    <div className="@container">
      <div className="grid gap-6 @[720px]:grid-cols-2 @[720px]:gap-8">
        {form}
        <div className="min-w-0 @[720px]:border-l @[720px]:border-line @[720px]:pl-8">
          <ServerList onConnected={onConnected} onEdit={(server) => onDraft(draftOfServer(server))} />
        </div>
      </div>
    </div>
  );
}
