import { Suspense, useState } from 'react';
import { MessageLog } from '@/components/log/message-log';
import { PANELS } from '@/components/panels/registry';
import { Button } from '@/components/ui/button';
import { Dialog } from '@/components/ui/dialog';
import { lazyWhenIdle } from '@/components/ui/lazy-when-idle';
import { ErrorNote } from '@/components/ui/notices';
import { Split } from '@/components/ui/split';
import { useClient } from '@/lib/hooks/client';
import { useConnections } from '@/lib/hooks/connections';
import { useLocation } from '@/lib/hooks/location';
import { useLog } from '@/lib/hooks/log';
import { useLinkedRecording } from '@/lib/hooks/recordings';
import type { ConnectionSummary } from '@/lib/wire/command';
import type { ServerDraft } from './connect/server-draft';
import { useCommand, useConnectionActions } from './connection-commands';
import { ConnectionList } from './connection-list';
import { ConnectionView } from './connection-view';
import { Header } from './header';
import { useFocusRecovery, usePanelFocus } from './keyboard-focus';
import { connectionLabels } from './labels';
import { LinkBanner } from './launch-link';
import { PanelTabs } from './panel-tabs';
import { PartBoundary } from './part-boundary';
import type { HeldRecording } from './recording-banner';
import { pickFiles, RecordingDrop } from './recording-drop';
import { useWorkbenchShortcuts, type WorkbenchDialog } from './shortcuts';
import { StatusBar } from './status-bar';
import { LoadingDialog } from './workbench-dialogs';

const CompareDialog = lazyWhenIdle(() => import('./compare-dialog').then((file) => file.CompareDialog));
const Comparison = lazyWhenIdle(() => import('./comparison').then((file) => file.Comparison));
const ConnectForm = lazyWhenIdle(() => import('./connect/connect-form').then((file) => file.ConnectForm));
const KeysDialog = lazyWhenIdle(() => import('./shortcuts').then((file) => file.KeysDialog));
const RecordingsList = lazyWhenIdle(() => import('./recordings/recordings-list').then((file) => file.RecordingsList));
const Share = lazyWhenIdle(() => import('./share/share').then((file) => file.Share));
const WorkbenchPalette = lazyWhenIdle(() => import('./palette').then((file) => file.WorkbenchPalette));

/**
 * The whole inspector: connections and panels above, the message log below. Maps over PANELS and knows none by name. `held`: the
 * recording that the page is the viewer of.
 */
export function Workbench({ held }: { readonly held?: HeldRecording }) {
  const client = useClient();
  const { connections, loading, error } = useConnections();
  const { connection: wanted, compare, navigate } = useLocation();
  const { run, open, failure, dismiss } = useCommand();
  const [dialog, setDialog] = useState<WorkbenchDialog>();
  const [maximised, setMaximised] = useState(false);
  // Kept here, so that closing the dialog loses nothing; never stored, since it may hold secrets.
  const [draft, setDraft] = useState<ServerDraft>();
  const selected = connections.find(({ id }) => id === wanted) ?? connections.at(-1);
  // The page is a file with its recording: there is nothing to connect to, and nothing else to open.
  const inFile = client.status === 'file';

  const compared = connections.find(({ id }) => id === compare && id !== selected?.id);

  const focusPanel = usePanelFocus(dialog === undefined ? selected?.id : undefined);

  const show = (connection: string) => {
    setDialog(undefined);
    navigate({ connection, item: undefined, frame: undefined });
  };
  const follow = (connection: string) => {
    focusPanel(connection);
    show(connection);
  };
  const { restarting, retry, restart, disconnect, forget, forgetEnded, edit, viaProxy } = useConnectionActions({
    connections,
    selected,
    run,
    onEdit: (again) => {
      if (again) setDraft(again);
      setDialog('add');
    },
    onMade: follow,
  });
  const connected = (connection: string) => {
    setDraft(undefined);
    follow(connection);
  };

  const openFiles = async (files: readonly File[], opened: (connection: string) => void = follow) => {
    for (const file of files) {
      const connection = await open(file);
      // What went wrong is shown; the others of the same drop would hide it.
      if (connection === undefined) return;
      opened(connection);
    }
  };
  const compareWith = (connection: string) => {
    setDialog(undefined);
    navigate({ connection: selected?.id, compare: connection });
  };
  const compareTwo = (connection: string, compare: string) => {
    setDialog(undefined);
    navigate({ connection, compare });
  };
  const recordings = client.recordings && (() => setDialog('recordings'));
  const pick = () => pickFiles((files) => void openFiles(files));

  const share = selected && !inFile ? () => setDialog('share') : undefined;

  useLinkedRecording(open, show);
  useWorkbenchShortcuts(PANELS, setDialog, { shares: share !== undefined, recordings: recordings !== undefined });
  useFocusRecovery();
  const form = (
    <Suspense>
      <ConnectForm draft={draft} onDraft={setDraft} onConnected={connected} />
    </Suspense>
  );

  return (
    <div className="flex h-full flex-col">
      {!inFile && (dialog !== 'recordings' || !client.recordings?.add) && (
        <RecordingDrop onFiles={(files) => void openFiles(files)} />
      )}
      <Header
        connections={connections}
        selected={selected}
        onSelect={show}
        restarting={restarting}
        onRestart={restart}
        onDisconnect={disconnect}
        onCompare={inFile ? undefined : () => setDialog('compare')}
        onPalette={() => setDialog('palette')}
        onShare={share}
      />
      <LinkBanner />
      {failure && (
        <div className="flex items-start border-b border-line">
          <div className="flex-1">
            <ErrorNote codeless failure={failure} />
          </div>
          <button type="button" onClick={dismiss} className="p-2 text-muted hover:text-text">
            Dismiss
          </button>
        </div>
      )}
      <main className="flex min-h-0 flex-1 flex-col">
        <Split
          id="log"
          orientation="vertical"
          label="Resize message log"
          startSize="52%"
          startMin="160px"
          endMin="120px"
          startHidden={maximised && selected !== undefined}
          start={
            <div className="flex min-h-0 flex-1">
              <nav
                aria-label="Connections and panels"
                className="flex w-44 shrink-0 flex-col border-r border-line bg-surface max-[1100px]:w-[68px]"
              >
                {!inFile && (
                  <ConnectionList
                    connections={connections}
                    selected={selected?.id}
                    onSelect={show}
                    onForget={forget}
                    onForgetEnded={forgetEnded}
                    onAdd={() => setDialog('add')}
                    onRecordings={recordings}
                  />
                )}
                {selected && <PanelTabs connection={selected.id} replaced={compared !== undefined} />}
              </nav>
              <div className="flex min-h-0 min-w-0 flex-1 flex-col">
                {selected && compared ? (
                  <Suspense>
                    <PartBoundary name="The comparison">
                      <Comparison
                        key={[selected.id, compared.id].sort().join(' ')}
                        connections={[selected, compared]}
                      />
                    </PartBoundary>
                  </Suspense>
                ) : selected ? (
                  <ConnectionView
                    key={selected.id}
                    connection={selected.id}
                    recording={selected.recording}
                    held={held}
                    onClose={inFile ? undefined : () => forget(selected.id)}
                    restarting={restarting}
                    onRestart={restart}
                    onEdit={edit}
                    onViaProxy={selected.via === 'direct' && client.status !== 'none' ? viaProxy : undefined}
                    onConnected={follow}
                  />
                ) : (
                  !loading &&
                  dialog !== 'add' && (
                    <div className="mx-auto w-full max-w-[720px] overflow-auto p-6">
                      <h2 className="mb-3 text-title font-medium">Which server do you want to inspect?</h2>
                      {error ? <ErrorNote failure={error} /> : form}
                      <p className="mt-4 text-muted">
                        Or open a recording: drop its file here, or{' '}
                        <Button size="small" onClick={pick}>
                          Open recording…
                        </Button>
                      </p>
                    </div>
                  )
                )}
              </div>
            </div>
          }
          end={
            selected && (
              <LogOf
                key={selected.id}
                selected={selected}
                maximised={maximised}
                onMaximise={() => setMaximised(!maximised)}
              />
            )
          }
        />
      </main>
      <StatusBar
        connections={connections}
        selected={selected}
        onRecordings={recordings}
        onHelp={() => setDialog('keys')}
      />
      {dialog === 'add' && (
        <Dialog title="Add server" onClose={() => setDialog(undefined)}>
          {form}
        </Dialog>
      )}
      <Suspense fallback={<LoadingDialog onClose={() => setDialog(undefined)} />}>
        {dialog === 'recordings' && (
          <Dialog title="Recordings" width="wider" parts onClose={() => setDialog(undefined)}>
            <RecordingsList
              shown={selected && (selected.recording?.file ?? selected.recordedIn)}
              onOpened={follow}
              onCompare={selected && compareWith}
              onCompareTwo={compareTwo}
              onPick={pick}
            />
          </Dialog>
        )}
        {dialog === 'compare' && selected && (
          <Dialog title="Compare with" width="wide" onClose={() => setDialog(undefined)}>
            <CompareDialog
              connections={connections}
              labels={connectionLabels(connections)}
              selected={selected.id}
              onChosen={compareWith}
              onPick={() => pickFiles((files) => void openFiles(files, compareWith))}
            />
          </Dialog>
        )}
        {dialog === 'palette' && (
          <WorkbenchPalette
            connections={connections}
            selected={selected}
            commands={{
              ...(!inFile && {
                add: () => setDialog('add'),
                openRecording: pick,
                compare: () => setDialog('compare'),
              }),
              recordings,
              share,
              restart,
              retry,
              disconnect,
              forget: () => selected && forget(selected.id),
              forgetEnded,
            }}
            onClose={() => setDialog(undefined)}
          />
        )}
        {dialog === 'share' && selected && (
          <Share key={selected.id} connection={selected} onClose={() => setDialog(undefined)} />
        )}
        {dialog === 'keys' && <KeysDialog onClose={() => setDialog(undefined)} />}
      </Suspense>
    </div>
  );
}

function LogOf(props: {
  readonly selected: ConnectionSummary;
  readonly maximised: boolean;
  readonly onMaximise: () => void;
}) {
  const log = useLog(props.selected.id);
  return (
    <PartBoundary name="The message log">
      <MessageLog log={log} maximised={props.maximised} onMaximise={props.onMaximise} />
    </PartBoundary>
  );
}
