import { Suspense, useState } from 'react';
import { MessageLog } from '@/components/log/message-log';
import { Button } from '@/components/ui/button';
import { lazyWhenIdle } from '@/components/ui/lazy-when-idle';
import { ErrorNote } from '@/components/ui/notices';
import { Split } from '@/components/ui/split';
import { useClient } from '@/lib/hooks/client';
import { useLog } from '@/lib/hooks/log';
import type { ConnectionSummary } from '@/lib/wire/command';
import { ConnectionList } from './connection-list';
import { ConnectionView } from './connection-view';
import { Header } from './header';
import { LinkBanner } from './launch-link';
import { PanelTabs } from './panel-tabs';
import { PartBoundary } from './part-boundary';
import { QuestionBanner } from './question-banner';
import type { HeldRecording } from './recording-banner';
import { RecordingDrop } from './recording-drop';
import { StatusBar } from './status-bar';
import { useWorkbench, type WorkbenchState } from './use-workbench';
import { AddServerForm, WorkbenchDialogs } from './workbench-dialogs';

const Comparison = lazyWhenIdle(() => import('./comparison').then((file) => file.Comparison));

/**
 * The whole inspector: connections and panels above, the message log below. It maps over PANELS and knows no panel by
 * name. `held`: the recording in a shared file.
 */
export function Workbench({ held }: { readonly held?: HeldRecording }) {
  const client = useClient();
  const workbench = useWorkbench();
  const { connections, selected, inFile, dialog, setDialog, actions, openRecordings, openShare } = workbench;
  const [maximised, setMaximised] = useState(false);
  const importing = dialog === 'recordings' && client.recordings?.add !== undefined;
  return (
    <div className="flex h-full flex-col">
      {!inFile && !importing && <RecordingDrop onFiles={workbench.openFiles} />}
      <Header
        connections={connections}
        selected={selected}
        onSelect={workbench.show}
        restarting={actions.restarting}
        onRestart={actions.restart}
        onDisconnect={actions.disconnect}
        onCompare={inFile ? undefined : () => setDialog('compare')}
        onPalette={() => setDialog('palette')}
        onShare={openShare}
      />
      <LinkBanner />
      <QuestionBanner connections={connections} selected={selected} />
      <CommandFailure workbench={workbench} />
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
              <Rail workbench={workbench} />
              <div className="flex min-h-0 min-w-0 flex-1 flex-col">
                <MainPane workbench={workbench} held={held} />
              </div>
            </div>
          }
          end={
            selected && (
              <LogPane
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
        onRecordings={openRecordings}
        onHelp={() => setDialog('keys')}
      />
      <WorkbenchDialogs workbench={workbench} />
    </div>
  );
}

/** The failure of the last command, until it is dismissed. */
function CommandFailure({ workbench: { failure, dismiss } }: { readonly workbench: WorkbenchState }) {
  if (!failure) return null;
  return (
    <div className="flex items-start border-b border-line">
      <div className="flex-1">
        <ErrorNote codeless failure={failure} />
      </div>
      <button type="button" onClick={dismiss} className="p-2 text-muted hover:text-text">
        Dismiss
      </button>
    </div>
  );
}

/** The left column: connections, and the panels of the selected one. */
function Rail({ workbench }: { readonly workbench: WorkbenchState }) {
  const { connections, selected, compared, inFile, actions, show, setDialog, openRecordings } = workbench;
  return (
    <nav
      aria-label="Connections and panels"
      className="flex w-44 shrink-0 flex-col border-r border-line bg-surface max-[1100px]:w-[68px]"
    >
      {!inFile && (
        <ConnectionList
          connections={connections}
          selected={selected?.id}
          onSelect={show}
          onForget={actions.forget}
          onForgetEnded={actions.forgetEnded}
          onAdd={() => setDialog('add')}
          onRecordings={openRecordings}
        />
      )}
      {selected && <PanelTabs connection={selected.id} replaced={compared !== undefined} />}
    </nav>
  );
}

/** A comparison, the selected connection's panel, or the connect form if there is no connection. */
function MainPane({
  workbench,
  held,
}: {
  readonly workbench: WorkbenchState;
  readonly held: HeldRecording | undefined;
}) {
  const { selected, compared, inFile, actions, loading, dialog, showAndFocus } = workbench;
  const { status } = useClient();
  if (selected && compared) {
    return (
      <Suspense>
        <PartBoundary name="The comparison">
          <Comparison key={[selected.id, compared.id].sort().join(' ')} connections={[selected, compared]} />
        </PartBoundary>
      </Suspense>
    );
  }
  if (selected) {
    return (
      <ConnectionView
        key={selected.id}
        connection={selected.id}
        recording={selected.recording}
        held={held}
        onClose={inFile ? undefined : () => actions.forget(selected.id)}
        restarting={actions.restarting}
        onRestart={actions.restart}
        onEdit={actions.edit}
        onViaProxy={selected.via === 'direct' && status !== 'none' ? actions.viaProxy : undefined}
        onConnected={showAndFocus}
      />
    );
  }
  return loading || dialog === 'add' ? null : <Welcome workbench={workbench} />;
}

/** The first page: connect to a server, or open a recording. */
function Welcome({ workbench }: { readonly workbench: WorkbenchState }) {
  const { error, pickRecordings } = workbench;
  return (
    <div className="mx-auto w-full max-w-[720px] overflow-auto p-6">
      <h2 className="mb-3 text-title font-medium">Which server do you want to inspect?</h2>
      {error ? <ErrorNote failure={error} /> : <AddServerForm workbench={workbench} />}
      <p className="mt-4 text-muted">
        Or open a recording: drop its file here, or{' '}
        <Button size="small" onClick={() => pickRecordings()}>
          Open recording…
        </Button>
      </p>
    </div>
  );
}

function LogPane(props: {
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
