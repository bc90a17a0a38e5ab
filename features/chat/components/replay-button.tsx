import { useState } from 'react';
import { Button } from '@/components/ui/button';
import { Dialog } from '@/components/ui/dialog';
import { Checkbox } from '@/components/ui/inputs';
import { ErrorNote } from '@/components/ui/notices';
import { UntrustedText } from '@/components/untrusted/untrusted-text';
import { navigate } from '@/lib/hooks/location';
import type { Failure } from '@/lib/wire/lifecycle';
import { useOpenServers } from './open-servers';
import { useAskChats } from './use-chats';

/** Runs the shown branch of a chat again: the model’s answers are recorded, tools are recorded or live. */
export function ReplayButton({ source, leaf }: { readonly source: string; readonly leaf: string }) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button title="Run again with the recorded answers of the model" onClick={() => setOpen(true)}>
        Replay
      </Button>
      {open && <ReplayDialog source={source} leaf={leaf} onClose={() => setOpen(false)} />}
    </>
  );
}

function ReplayDialog({
  source,
  leaf,
  onClose,
}: {
  readonly source: string;
  readonly leaf: string;
  readonly onClose: () => void;
}) {
  const ask = useAskChats();
  const servers = useOpenServers();
  const [live, setLive] = useState<readonly string[]>([]);
  const [failure, setFailure] = useState<Failure>();
  const start = async () => {
    setFailure(undefined);
    try {
      const { chat } = await ask({ kind: 'replay', source, leaf, connections: live });
      onClose();
      navigate({ panel: 'chat', item: chat });
    } catch (error) {
      setFailure(error as Failure);
    }
  };
  return (
    <Dialog title="Replay the chat" width="narrow" onClose={onClose}>
      <div className="flex min-w-0 flex-col gap-3">
        <p>
          Runs the shown branch again. Messages and the model’s answers come from it, so no model is asked. You see what
          the model would have seen otherwise.
        </p>
        <fieldset className="flex min-w-0 flex-col">
          <legend className="text-muted">Live tools of</legend>
          {servers.length === 0 && <p className="text-small text-muted">No server is connected</p>}
          {servers.map(({ entry, name }) => (
            <Checkbox
              key={entry}
              checked={live.includes(entry)}
              onChange={(use) => setLive(use ? [...live, entry] : live.filter((one) => one !== entry))}
              label={<UntrustedText text={name} limit={60} />}
            />
          ))}
          <p className="text-small text-muted">
            {live.length === 0 ? 'Without any, results come from the chat, too' : 'Each live call waits for you'}
          </p>
        </fieldset>
        {failure && <ErrorNote failure={failure} />}
        <div className="flex justify-end">
          <Button variant="primary" data-autofocus onClick={() => void start()}>
            Replay
          </Button>
        </div>
      </div>
    </Dialog>
  );
}
