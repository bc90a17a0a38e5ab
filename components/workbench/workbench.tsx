import { Suspense, useState } from 'react';
import { MessageLog } from '@/components/log/message-log';
import { Button } from '@/components/ui/button';
import { Icon, type IconName } from '@/components/ui/icon';
import { lazyWhenIdle } from '@/components/ui/lazy-when-idle';
import { LOW, MEDIUM, NARROW, useMedia } from '@/components/ui/media';
import { ErrorNote } from '@/components/ui/notices';
import { Progress } from '@/components/ui/progress';
import { Split } from '@/components/ui/split';
import { visibleText } from '@/components/ui/visible-text';
import { useClient } from '@/lib/hooks/client';
import { useLog } from '@/lib/hooks/log';
import { useSettingsPlace } from '@/lib/hooks/settings';
import { useIsAnswerFormShown } from '@/lib/hooks/shown-questions';
import { viewKey } from '@/lib/hooks/watch';
import type { ConnectionSummary } from '@/lib/wire/command';
import { progressText } from '@/lib/wire/format';
import type { Opening } from './connection-commands';
import { ConnectionList } from './connection-list';
import { ConnectionView } from './connection-view';
import { Header } from './header';
import { LinkBanner } from './link-banner';
import { OldKeyNote } from './old-key-note';
import { PaneSwitcher, usePane } from './pane-switcher';
import { PanelTabs, usePanel } from './panel-tabs';
import { LaterParts, PartBoundary } from './part-boundary';
import { QuestionBanner } from './question-banner';
import type { HeldRecording } from './recording-banner';
import { RecordingDrop } from './recording-drop';
import { StatusBar } from './status-bar';
import { useWorkbench, type WorkbenchState } from './use-workbench';
import { AddServerForm, WorkbenchDialogs } from './workbench-dialogs';

const Comparison = lazyWhenIdle(() => import('./comparison').then((file) => file.Comparison));
const HoldBanner = lazyWhenIdle(() => import('./hold-banner').then((file) => file.HoldBanner));
const WorkbenchPage = lazyWhenIdle(() => import('./workbench-page').then((file) => file.WorkbenchPage));

/** Width of a rail of icons. */
const ICON_RAIL = '64px';
/** Leaves room for the bar above the log, and for the line between. */
const LOG_BAR_ONLY = 'calc(100% - 37px)';

/**
 * The whole inspector: connections and panels above, the message log below. It maps over PANELS and knows no panel by
 * name. A narrow window shows one pane at a time. `held`: the recording in a shared file.
 */
export function Workbench({ held }: { readonly held?: HeldRecording }) {
  const client = useClient();
  const workbench = useWorkbench();
  const { connections, selected, inFile, setDialog, actions, openRecordings, openShare } = workbench;
  const { recordingsShown } = workbench;
  const pageShown = recordingsShown || workbench.evalsShown;
  const asks = useIsAnswerFormShown(selected?.id);
  const panel = usePanel();
  const [maximised, setMaximised] = useState(false);
  const hasLog = selected !== undefined && !pageShown;
  const [pane, setPane] = usePane(hasLog);
  const isNarrow = useMedia(NARROW);
  const isMedium = useMedia(MEDIUM);
  // Then the log gives its room to the panel, and is only a bar until it is maximised.
  const isLow = useMedia(LOW);
  const importing = recordingsShown && client.recordings?.imports !== undefined;
  const showHelp = () => setDialog('keys');
  const showPanel = () => {
    setPane('panel');
    setMaximised(false);
  };
  return (
    <div className="flex h-full flex-col">
      {!inFile && !importing && <RecordingDrop onFiles={workbench.openFiles} />}
      <Header
        connections={connections}
        selected={selected}
        restarting={actions.restarting}
        onRestart={actions.restart}
        onDisconnect={actions.disconnect}
        watching={actions.watching}
        onWatch={actions.watch}
        onCompare={inFile ? undefined : () => setDialog('compare')}
        onPalette={() => setDialog('palette')}
        onSettings={() => setDialog('settings')}
        onHelp={showHelp}
        onShare={openShare}
      />
      <LinkBanner />
      <OldKeyNote />
      <QuestionBanner connections={connections} selected={selected} />
      <LaterParts name="The note about held messages">
        <HoldBanner {...{ connections, selected }} panel={pageShown ? undefined : panel.id} />
      </LaterParts>
      <UnsavedSettings />
      <CommandFailure failure={workbench.failure} dismiss={workbench.dismiss} />
      {workbench.opening && <OpeningBar {...workbench.opening} />}
      <main className="flex min-h-0 flex-1 flex-col">
        <Split
          id="rail"
          orientation="horizontal"
          label="Resize list of servers and panels"
          startSize="208px"
          startMin="150px"
          endMin="480px"
          fixed={isMedium ? ICON_RAIL : undefined}
          narrow={pane === 'servers' ? 'start' : 'end'}
          start={<Rail workbench={workbench} onChosen={showPanel} />}
          end={
            <Split
              id="log"
              orientation="vertical"
              label="Resize message log"
              startSize="51%"
              // A form that the server asks for is often longer than half of the window.
              startRoom={asks || panel.isTall ? '72%' : undefined}
              startMin="160px"
              endMin="120px"
              fixed={isLow ? LOG_BAR_ONLY : undefined}
              startHidden={maximised && hasLog && !isNarrow}
              endHidden={pageShown}
              narrow={pane === 'log' ? 'end' : 'start'}
              start={<MainPane workbench={workbench} held={held} />}
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
          }
        />
      </main>
      <StatusBar connections={connections} selected={selected} onRecordings={openRecordings} onHelp={showHelp} />
      <PaneSwitcher workbench={workbench} pane={pane} hasLog={hasLog} onPane={setPane} />
      <WorkbenchDialogs workbench={workbench} />
    </div>
  );
}

/** The failure of the last command, until it is dismissed. */
function CommandFailure({ failure, dismiss }: Pick<WorkbenchState, 'failure' | 'dismiss'>) {
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

/** The progress of opening a file, until its first messages are here. */
function OpeningBar({ file, progress, cancel }: Opening) {
  return (
    <div className="flex min-w-0 border-b border-line px-3 py-1 empty:hidden">
      <Progress
        key={file}
        what={`Opening ${visibleText(file)}`}
        {...progress}
        figures={progress && progressText(progress)}
        onCancel={cancel}
      />
    </div>
  );
}

/** Says why the last change of the settings was not saved. */
function UnsavedSettings() {
  const { unsaved, dismiss } = useSettingsPlace();
  return <CommandFailure failure={unsaved} dismiss={dismiss} />;
}

/** The left column: servers, the panels of the selected one, and the page of recordings. */
function Rail({ workbench, onChosen }: { readonly workbench: WorkbenchState; readonly onChosen: () => void }) {
  const { connections, selected, compared, recordingsShown, evalsShown, inFile, actions, show, setDialog } = workbench;
  const { openRecordings, openEvals, openPanel } = workbench;
  return (
    <nav aria-label="Servers and panels" className="flex min-h-0 flex-1 flex-col bg-surface [container-type:size]">
      {!inFile && (
        <ConnectionList
          connections={connections}
          selected={selected?.id}
          onSelect={(connection) => {
            show(connection);
            onChosen();
          }}
          onRemove={actions.remove}
          onAdd={() => setDialog('add')}
        />
      )}
      {selected && (
        <PanelTabs
          connection={selected.id}
          replaced={compared !== undefined || recordingsShown || evalsShown}
          onOpen={(panel) => {
            openPanel(panel);
            onChosen();
          }}
        />
      )}
      {openRecordings && (
        <div className="mt-auto flex shrink-0 border-t border-line px-1 py-0.5">
          <PageButton
            title="Recordings"
            about="Recordings of earlier connections"
            icon="recordings"
            shown={recordingsShown}
            onOpen={() => {
              openRecordings();
              onChosen();
            }}
          />
          {openEvals && (
            <PageButton
              title="Evals"
              about="Measure whether models pick the right tools"
              icon="evals"
              shown={evalsShown}
              onOpen={() => {
                openEvals();
                onChosen();
              }}
            />
          )}
        </div>
      )}
    </nav>
  );
}

/** Opens a page that takes the place of panel and log. */
function PageButton({
  title,
  about,
  icon,
  shown,
  onOpen,
}: {
  readonly title: string;
  readonly about: string;
  readonly icon: IconName;
  readonly shown: boolean;
  readonly onOpen: () => void;
}) {
  return (
    <button
      type="button"
      aria-current={shown ? 'page' : undefined}
      title={about}
      onClick={onOpen}
      className="flex h-7 min-w-0 flex-auto items-center gap-1.5 rounded px-2 text-left text-muted hover:text-text aria-[current]:bg-accent/12 aria-[current]:font-medium aria-[current]:text-text medium:justify-center medium:px-0"
    >
      <Icon name={icon} />
      <span className="medium:sr-only">{title}</span>
    </button>
  );
}

/** A page, a comparison, the selected connection's panel, or the connect form if there is no connection. */
function MainPane({
  workbench,
  held,
}: {
  readonly workbench: WorkbenchState;
  readonly held: HeldRecording | undefined;
}) {
  const { selected, compared, recordingsShown, evalsShown, inFile, actions, loading, dialog } = workbench;
  const { show, showAndFocus } = workbench;
  const { status } = useClient();
  if (recordingsShown || evalsShown) {
    return (
      <Suspense>
        <PartBoundary name={recordingsShown ? 'The list of recordings' : 'The page of evals'}>
          <WorkbenchPage workbench={workbench} />
        </PartBoundary>
      </Suspense>
    );
  }
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
        key={viewKey(selected.id)}
        connection={selected.id}
        recording={selected.recording}
        held={held}
        onClose={inFile ? undefined : () => actions.remove([selected.id])}
        restarting={actions.restarting}
        onRestart={actions.restart}
        onEdit={actions.edit}
        onViaProxy={selected.via === 'direct' && status !== 'none' ? actions.viaProxy : undefined}
        onConnected={showAndFocus}
        onShow={show}
      />
    );
  }
  return loading || dialog === 'add' ? null : <Welcome workbench={workbench} />;
}

/** The first page: connect to a server, or open a recording. */
function Welcome({ workbench }: { readonly workbench: WorkbenchState }) {
  const { error, pickRecordings } = workbench;
  return (
    <div className="mx-auto w-full max-w-[1120px] overflow-auto p-6">
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
