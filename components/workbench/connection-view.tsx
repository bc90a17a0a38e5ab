import { Suspense } from 'react';
import { PANELS } from '@/components/panels/registry';
import { EmptyState } from '@/components/ui/empty-state';
import { later } from '@/components/ui/later';
import { Spinner } from '@/components/ui/spinner';
import { TabPanel } from '@/components/ui/tabs';
import { useLog, useLogState } from '@/lib/hooks/use-log';
import { hasEnded, useMoment, usePast } from '@/lib/hooks/use-moment';
import type { RecordingFacts } from '@/lib/wire/recording-facts';
import { ByHandNote } from './by-hand-note';
import { EndedBanner } from './ended-banner';
import { usePanel } from './panel-tabs';
import { Part } from './part';
import { RecordingBanner } from './recording-banner';
import { RequestsFailNote } from './requests-fail-note';
import type { HeldRecording } from './save-recording';
import { SignInNote } from './sign-in-note';
import { StartingView } from './starting-view';
import { UnreachableNote } from './unreachable-note';
import { UnrecordedNote } from './unrecorded-note';

const Scrubber = later(() => import('./scrubber/scrubber').then((file) => file.Scrubber));
/** With the connection doctor, who knows a lot. */
const FailureView = later(() => import('./failure-view').then((file) => file.FailureView));

/** The selected panel of one connection, or what there is before it opened. */
export function ConnectionView({
  connection,
  recording,
  held,
  restarting,
  onRestart,
  onEdit,
  onConnected,
  onViaProxy,
  onClose,
}: {
  readonly connection: string;
  /** Set if it is one. */
  readonly recording: RecordingFacts | undefined;
  /** What it stands in, where the page is its viewer. */
  readonly held: HeldRecording | undefined;
  readonly restarting: boolean;
  readonly onRestart: () => void;
  readonly onEdit: () => void;
  readonly onConnected: (connection: string) => void;
  readonly onViaProxy?: () => void;
  /** Takes it off the list. Absent in a file, which is this recording and nothing else. */
  readonly onClose: (() => void) | undefined;
}) {
  const whole = useLog(connection);
  const log = usePast(whole).past ?? whole;
  const { id } = usePanel();
  const { Component } = PANELS.find((panel) => panel.id === id)!;
  const state = useLogState(log, (all) => all.connection.state);
  const ended = useLogState(whole, hasEnded);
  const moment = useMoment(whole);
  const opened = useLogState(whole, (all) => all.connection.opened === true || all.server.seq !== undefined);
  // After a failed handshake, what is left to do is done there.
  const byHand = id === 'raw' && state === 'handshake-failed';
  // A connection that was open once keeps its panels, however it ended.
  return (
    <>
      <SignInNote connection={connection} log={whole} />
      {!recording && <UnrecordedNote log={whole} />}
      {recording && <RecordingBanner {...{ log: whole, recording, held, onEdit, onClose }} />}
      <UnreachableNote {...{ connection, log }} live={log === whole && !recording} />
      {!recording && <RequestsFailNote log={whole} />}
      {!recording && (opened || byHand) && <ByHandNote log={whole} />}
      {opened && !recording && <EndedBanner {...{ log: whole, restarting, onRestart, onEdit, onViaProxy }} />}
      {recording && !ended && <ScrubberRoom />}
      <Suspense fallback={recording && <ScrubberRoom />}>
        {ended && (recording || moment !== undefined) && <Scrubber log={whole} />}
      </Suspense>
      <TabPanel tabs="panel" selected={id} className="flex min-h-0 min-w-0 flex-1 flex-col overflow-auto">
        <Suspense>
          {opened || byHand ? (
            <Part name="This panel" about={`${id} ${moment}`}>
              <Component key={`${connection} ${id}`} log={log} />
            </Part>
          ) : state === 'failed' || state === 'closed' || state === 'handshake-failed' ? (
            <FailureView
              {...{ log, restarting, onRestart, onEdit, onViaProxy, onConnected }}
              recorded={recording !== undefined}
            />
          ) : moment !== undefined ? (
            <EmptyState title="The server has not answered yet at this moment">
              Go forward in time to see what it said.
            </EmptyState>
          ) : recording ? (
            <p className="flex items-center gap-2 p-4 text-muted">
              <Spinner /> Reading the recording…
            </p>
          ) : (
            <StartingView log={log} />
          )}
        </Suspense>
      </TabPanel>
    </>
  );
}

/** Where the scrubber of a recording will be once it is read: what is below does not jump. */
function ScrubberRoom() {
  return <div aria-hidden="true" className="h-8 shrink-0 border-b border-line" />;
}
