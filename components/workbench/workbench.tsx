import { Suspense, useState } from 'react';
import { MessageLog } from '@/components/log/message-log';
import { panelOf } from '@/components/panels/registry';
import { Button } from '@/components/ui/button';
import { lazyWhenIdle } from '@/components/ui/lazy-when-idle';
import { LOW, NARROW, useMedia } from '@/components/ui/media';
import { ErrorNote } from '@/components/ui/notices';
import { WorkProgress } from '@/components/ui/progress';
import { Split } from '@/components/ui/split';
import { visibleText } from '@/components/ui/visible-text';
import { FEATURE_BANNERS } from '@/features/page-features';
import { useClient } from '@/lib/hooks/client';
import { navigate, useLocation } from '@/lib/hooks/location';
import { useLog } from '@/lib/hooks/log';
import { useSettingsPlace } from '@/lib/hooks/settings';
import { viewKey } from '@/lib/hooks/watch';
import type { ConnectionSummary } from '@/lib/wire/command';
import { progressText } from '@/lib/wire/format';
import type { OpeningFile } from './connection-commands';
import { ConnectionView } from './connection-view';
import { Header } from './header';
import { LinkBanner } from './link-banner';
import { OldKeyNote } from './old-key-note';
import { PaneSwitcher, usePane } from './pane-switcher';
import { LaterParts, PartBoundary } from './part-boundary';
import { QuestionBanner } from './question-banner';
import { Rail } from './rail';
import type { HeldRecording } from './recording-banner';
import { RecordingDrop } from './recording-drop';
import { StatusBar } from './status-bar';
import { useWorkbench, type WorkbenchState } from './use-workbench';
import { PageTabs } from './view-head';
import { AddServerForm, WorkbenchDialogs } from './workbench-dialogs';

const ComparePlace = lazyWhenIdle(() => import('./runs-place').then((file) => file.ComparePlace));
const LogActions = lazyWhenIdle(() => import('./log-actions').then((file) => file.LogActions));
const RecordingsPage = lazyWhenIdle(() => import('./recordings/recordings-page').then((file) => file.RecordingsPage));

/** Leaves room for the bar above the log, and for the line between. */
const LOG_BAR_ONLY = 'calc(100% - 37px)';

/**
 * The whole inspector: what the server can do above, what happened below. A narrow window shows one of them at a time.
 * `held`: the recording in a shared file.
 */
export function Workbench({ held }: { readonly held?: HeldRecording }) {
  const client = useClient();
  const workbench = useWorkbench();
  const { connections, selected, inFile, setDialog, actions, openRecordings, openShare, recordingsShown } = workbench;
  const pageShown = recordingsShown || workbench.shownPage !== undefined;
  const { panel } = useLocation();
  const [maximised, setMaximised] = useState(false);
  const hasLog = selected !== undefined && !pageShown;
  const [pane, setPane] = usePane(hasLog);
  const isNarrow = useMedia(NARROW);
  // Then the log gives its room to the panel, and is only a bar until it is maximised.
  const isLow = useMedia(LOW);
  const importing = recordingsShown && client.recordings?.imports !== undefined;
  const showView = () => {
    setPane('view');
    setMaximised(false);
  };
  return (
    <div className="flex h-full flex-col">
      {!inFile && !importing && <RecordingDrop onFiles={workbench.openFiles} />}
      <Header
        connections={connections}
        selected={selected}
        serverShown={!pageShown && !maximised && !workbench.comparing && panelOf(panel).place === 'server'}
        onServer={() => {
          workbench.openPlace('server');
          showView();
        }}
        onSelect={workbench.show}
        onAdd={inFile ? undefined : () => setDialog('add')}
        actions={actions}
        onCompare={inFile ? undefined : workbench.openCompare}
        onPalette={() => setDialog('palette')}
        onShare={openShare}
      />
      <LinkBanner />
      <OldKeyNote />
      <QuestionBanner connections={connections} selected={selected} />
      {FEATURE_BANNERS.map(({ name, Component }) => (
        <LaterParts key={name} name={name}>
          <Component connections={connections} selected={selected} panel={pageShown ? undefined : panel} />
        </LaterParts>
      ))}
      <UnsavedSettings />
      <CommandFailure failure={workbench.failure} dismiss={workbench.dismiss} />
      {workbench.opening && <OpeningBar {...workbench.opening} />}
      <main className="flex min-h-0 flex-1">
        <Rail
          workbench={workbench}
          maximised={maximised && hasLog}
          onMaximise={() => setMaximised(!maximised)}
          onChosen={showView}
        />
        <Split
          id="log"
          orientation="vertical"
          label="Resize message log"
          startSize="51%"
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
      </main>
      <StatusBar connections={connections} selected={selected} hasRecordings={openRecordings !== undefined} />
      <PaneSwitcher workbench={workbench} pane={pane} onPane={setPane} />
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
function OpeningBar({ file, progress, cancel }: OpeningFile) {
  return (
    <div className="flex min-w-0 border-b border-line px-3 py-1 empty:hidden">
      <WorkProgress
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

/** A page, a comparison, the selected connection's panel, or the connect form if there is no connection. */
function MainPane({
  workbench,
  held,
}: {
  readonly workbench: WorkbenchState;
  readonly held: HeldRecording | undefined;
}) {
  const { selected, comparing, recordingsShown, shownPage, actions, loading, dialog } = workbench;
  const { show, showAndFocus } = workbench;
  if (shownPage) {
    const { Component } = shownPage;
    return (
      <Suspense>
        <PartBoundary name={`The page of ${shownPage.title.toLowerCase()}`}>
          <PageTabs panel={shownPage.tabOf} selected={shownPage.id} />
          <Component />
        </PartBoundary>
      </Suspense>
    );
  }
  if (recordingsShown) {
    return (
      <Suspense>
        <PartBoundary name="The list of recordings">
          <RecordingsPage workbench={workbench} />
        </PartBoundary>
      </Suspense>
    );
  }
  if (selected && comparing) return <ComparePlace workbench={workbench} selected={selected} />;
  if (selected) {
    return (
      <ConnectionView
        key={viewKey(selected.id)}
        connection={selected.id}
        recording={selected.recording}
        held={held}
        actions={actions}
        onConnected={showAndFocus}
        onShow={show}
      />
    );
  }
  return loading || dialog === 'add' ? null : <Welcome workbench={workbench} />;
}

/** The first page: connect to a server, or open a recording. */
function Welcome({ workbench }: { readonly workbench: WorkbenchState }) {
  const { error, pickRecordings, showAndFocus } = workbench;
  return (
    <div className="overflow-auto p-6">
      <div className="mx-auto max-w-[720px]">
        <h2 className="mb-3 text-title font-medium">Which server do you want to inspect?</h2>
        {error ? <ErrorNote failure={error} /> : <AddServerForm workbench={workbench} onShow={showAndFocus} />}
        <p className="mt-4 text-muted">
          Or open a recording: drop its file here, or{' '}
          <Button size="small" onClick={() => pickRecordings()}>
            Open recording…
          </Button>
        </p>
      </div>
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
      <MessageLog
        log={log}
        maximised={props.maximised}
        onMaximise={props.onMaximise}
        actions={
          <LaterParts name="The log's buttons">
            <LogActions log={log} />
          </LaterParts>
        }
        views={[
          {
            label: 'Server logs beside all messages',
            run: () => navigate({ panel: 'logs-beside', item: undefined, filter: undefined }),
          },
        ]}
      />
    </PartBoundary>
  );
}
