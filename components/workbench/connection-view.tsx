import { type ReactNode, Suspense, useState } from 'react';
import type { Panel } from '@/components/panels/panel';
import { panelOf } from '@/components/panels/registry';
import { classNames } from '@/components/ui/class-names';
import { lazyWhenIdle } from '@/components/ui/lazy-when-idle';
import { EmptyState, ErrorNote, Spinner } from '@/components/ui/notices';
import { TabPanel, tabPanelId } from '@/components/ui/tabs';
import { useClient } from '@/lib/hooks/client';
import { useConnections, useStateReason } from '@/lib/hooks/connections';
import { useLocation } from '@/lib/hooks/location';
import { useLog, useLogState } from '@/lib/hooks/log';
import { hasEnded, useMoment, usePast } from '@/lib/hooks/moment';
import { useWatch } from '@/lib/hooks/watch';
import type { RecordingFacts } from '@/lib/wire/recording-facts';
import type { ConnectionActions } from './connection-commands';
import { useOpenPanel } from './panel-items';
import { LaterParts, PartBoundary } from './part-boundary';
import type { HeldRecording } from './recording-banner';
import { PageTabs, PanelHead } from './view-head';

const banners = () => import('./connection-banners');
const EndedBanner = lazyWhenIdle(() => banners().then((file) => file.EndedBanner));
const NoHandshakeBanner = lazyWhenIdle(() => banners().then((file) => file.NoHandshakeBanner));
const NotRecordedBanner = lazyWhenIdle(() => banners().then((file) => file.NotRecordedBanner));
const OlderRunNote = lazyWhenIdle(() => banners().then((file) => file.OlderRunNote));
const RequestsFailingBanner = lazyWhenIdle(() => banners().then((file) => file.RequestsFailingBanner));
const SignInBanner = lazyWhenIdle(() => banners().then((file) => file.SignInBanner));
const UnreachableBanner = lazyWhenIdle(() => banners().then((file) => file.UnreachableBanner));
const Scrubber = lazyWhenIdle(() => import('./scrubber').then((file) => file.Scrubber));
const DestructiveCallDialog = lazyWhenIdle(() =>
  import('@/components/exchange/destructive-call').then((file) => file.DestructiveCallDialog),
);
const RecordingBanner = lazyWhenIdle(() => import('./recording-banner').then((file) => file.RecordingBanner));
const ServerCommands = lazyWhenIdle(() =>
  import('@/components/exchange/server-commands').then((file) => file.ServerCommands),
);
const StartingView = lazyWhenIdle(() => import('./starting-view').then((file) => file.StartingView));
const WokenServer = lazyWhenIdle(() => import('./woken-server').then((file) => file.WokenServer));
const WatchStrip = lazyWhenIdle(() => import('./watch/watch-strip').then((file) => file.WatchStrip));
const RunsHead = lazyWhenIdle(() => import('./runs-place').then((file) => file.RunsHead));
// Large: it brings the connection doctor.
const FailureView = lazyWhenIdle(() => import('./failure-view').then((file) => file.FailureView));

/** The selected panel of a connection, or its progress until it is open, below its banners. */
export function ConnectionView({
  connection,
  recording,
  held,
  actions,
  onConnected,
  onShow,
}: {
  readonly connection: string;
  /** Set if the connection is a recording. */
  readonly recording: RecordingFacts | undefined;
  /** The file itself, where the page is a shared file. */
  readonly held: HeldRecording | undefined;
  readonly actions: ConnectionActions;
  readonly onConnected: (connection: string) => void;
  /** Shows another connection. */
  readonly onShow: (connection: string) => void;
}) {
  const whole = useLog(connection);
  const log = usePast(whole).past ?? whole;
  const named = panelOf(useLocation().panel);
  const { openPanel, openPlace } = useOpenPanel(connection);
  const { api, status } = useClient();
  const state = useLogState(log, (all) => all.connection.state);
  const ended = useLogState(whole, hasEnded);
  const moment = useMoment(whole);
  const watch = useWatch(connection);
  const opened = useLogState(whole, (all) => all.connection.opened === true || all.server.seq !== undefined);
  // The steps of a sign-in that is waited for take Browse's place, until the person closes them.
  const signIn = useConnections().connections.find((one) => one.id === connection)?.signInUrl;
  const [closed, setClosed] = useState<string>();
  const showsSteps = signIn !== undefined && signIn !== closed && named.place === 'browse';
  const panel = showsSteps ? panelOf('authorization') : named;
  const { id, place, Component } = panel;
  // After a failed handshake only raw messages can be sent. A recording may be of no connection, such as one of a chat.
  const byHand =
    (id === 'raw' && state === 'handshake-failed') || (panel.channel !== undefined && recording !== undefined);
  // The steps of authorization come before the connection is open, or it never opens because one of them failed.
  const failed = state === 'failed' || state === 'handshake-failed';
  const shows = opened || byHand || id === 'authorization' || (panel.isForFailures === true && failed);
  const reason = useStateReason(log);
  const glance = reason && !shows && (
    <div className="mx-auto flex w-full max-w-[760px] min-w-0 flex-col gap-3 p-4">
      <ErrorNote codeless failure={reason} />
    </div>
  );
  const endedBanner = opened && <EndedBanner {...{ log: whole, actions }} recorded={recording !== undefined} />;
  const closeView = () => {
    setClosed(signIn);
    openPlace('browse');
  };
  const signInNote = <SignInBanner connection={connection} log={whole} />;
  // A connection that was open keeps its panels after its end.
  return (
    <>
      <LaterParts name="A note" about={connection}>
        {recording && <RecordingBanner {...{ connection, log: whole, recording, held, actions }} />}
        {watch ? <WatchStrip {...{ connection, watch }} /> : <OlderRunNote connection={connection} onShow={onShow} />}
        {id !== 'authorization' && signInNote}
        {!recording && <NotRecordedBanner log={whole} />}
        <UnreachableBanner {...{ connection, log }} live={log === whole && !recording} />
        {!recording && <RequestsFailingBanner log={whole} />}
        {!recording && (opened || byHand) && <NoHandshakeBanner log={whole} />}
        {recording ? endedBanner : <WokenServer {...{ connection, log: whole }}>{endedBanner}</WokenServer>}
      </LaterParts>
      {recording && !recording.tap?.live && !ended && <ScrubberRoom />}
      <LaterParts name="The slider" about={connection} fallback={recording && !recording.tap?.live && <ScrubberRoom />}>
        {ended && (recording || moment !== undefined) && <Scrubber log={whole} />}
      </LaterParts>
      {(place === 'server' || (shows && place === 'aside')) && (
        <PanelHead connection={connection} panel={panel} onOpen={openPanel} onClose={closeView} />
      )}
      {/* A shared file has nothing to run or to compare with. */}
      {place === 'runs' && status !== 'file' && (
        <LaterParts name="The head of the panel" about={connection}>
          <RunsHead connection={connection} selected={id} />
        </LaterParts>
      )}
      {api && <PageTabs panel={id} selected={id} />}
      <ViewBody panel={panel}>
        {id === 'authorization' && (
          <LaterParts name="The sign-in" about={connection}>
            {signInNote}
          </LaterParts>
        )}
        {/* The cause stands beside the log's "failed" from the first moment, before the code of the view is here. */}
        <PartBoundary name="This panel" about={`${id} ${moment} ${shows}`}>
          <Suspense fallback={glance}>
            {shows ? (
              <Component key={place === 'browse' ? place : id} log={log} />
            ) : failed || state === 'closed' ? (
              <FailureView log={log} actions={actions} onConnected={onConnected} recorded={recording !== undefined} />
            ) : moment !== undefined ? (
              <EmptyState title="The server has not responded at this point">
                Move the slider forward to see its response
              </EmptyState>
            ) : recording ? (
              <p className="flex items-center gap-2 p-4 text-muted">
                <Spinner /> {recording.tap ? 'Waiting for the client’s handshake…' : 'Opening the recording…'}
              </p>
            ) : (
              // The log of a failed connection may still be loading.
              glance || <StartingView log={log} onConnected={onConnected} />
            )}
          </Suspense>
        </PartBoundary>
      </ViewBody>
      <LaterParts name="A command" about={connection}>
        <DestructiveCallDialog log={whole} />
        <ServerCommands log={log} />
      </LaterParts>
    </>
  );
}

/** The content of the upper half, which can take the focus. The server's view is one of several tabs. */
function ViewBody({ panel: { id, title, place }, children }: { readonly panel: Panel; readonly children: ReactNode }) {
  const look = 'flex min-h-0 min-w-0 flex-1 flex-col overflow-auto';
  if (place === 'server') {
    return (
      <TabPanel tabs="panel" selected={id} className={look}>
        {children}
      </TabPanel>
    );
  }
  const name = place === 'browse' ? 'Browse' : title;
  return (
    <section
      aria-label={`${name} view`}
      id={tabPanelId('panel')}
      tabIndex={-1}
      className={classNames(look, 'outline-none')}
    >
      <h2 className="sr-only">{name}</h2>
      {children}
    </section>
  );
}

/** Holds the scrubber's place until the recording is read, so that the page does not jump. */
function ScrubberRoom() {
  return <div aria-hidden="true" className="h-8 shrink-0 border-b border-line" />;
}
