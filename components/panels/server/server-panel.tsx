import { useEffect, useMemo, useRef } from 'react';
import { FrameLink } from '@/components/exchange/frame-link';
import { FrameLines } from '@/components/exchange/moment/frame-lines';
import { lifecycleSentence } from '@/components/log/lifecycle-sentences';
import { CopyButton } from '@/components/ui/button';
import { Sentence } from '@/components/ui/notices';
import { moveFocus } from '@/components/ui/page-focus';
import { visibleText } from '@/components/ui/visible-text';
import { JsonTree } from '@/components/untrusted/json-tree';
import { ExternalLink } from '@/components/untrusted/links';
import { Markdown } from '@/components/untrusted/markdown';
import { RenderGuard } from '@/components/untrusted/render-guard';
import { IconFacts, ServerIcon } from '@/components/untrusted/server-icon';
import { UntrustedText } from '@/components/untrusted/untrusted-text';
import { SERVER_SECTIONS } from '@/features/server-sections';
import { useLocation } from '@/lib/hooks/location';
import { useLogState } from '@/lib/hooks/log';
import { useLogTimes } from '@/lib/hooks/times';
import { JsonSource } from '@/lib/json/source';
import { own } from '@/lib/json/value';
import type { Log } from '@/lib/store/log';
import { messageSource } from '@/lib/store/message-source';
import { toLifecycleEvent } from '@/lib/store/state/connection-facts';
import { withoutAnsi } from '@/lib/wire/control-characters';
import { countOf, formatBytes } from '@/lib/wire/format';
import { Fact, FactList } from '../shared/fact-list';
import { Freshness } from '../shared/freshness';
import { AuthorizationFacts, ProcessSection } from './connection-facts';
import { ServerRequestsSection } from './server-requests';

/** The server's identity, capabilities, process, lifecycle and stderr. */
export function ServerPanel({ log }: { readonly log: Log }) {
  const atUrl = useLogState(log, ({ connection: { start } }) => start !== undefined && start.transport !== 'stdio');
  return (
    <div className="@container min-h-0 flex-1 overflow-auto p-3">
      <div className="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-4 @3xl:grid-cols-2">
        <div className="flex min-w-0 flex-col gap-4">
          <Identity log={log} />
          <Capabilities log={log} />
        </div>
        <div className="flex min-w-0 flex-col gap-4">
          <ServerRequestsSection log={log} />
          <ProcessSection log={log} />
          <AuthorizationFacts log={log} />
          {SERVER_SECTIONS.map((Section, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the list never changes
            <Section key={at} log={log} />
          ))}
          <LifecycleList log={log} />
          {!atUrl && <StderrView log={log} />}
        </div>
      </div>
    </div>
  );
}

/** The server's name and version, as it declares them, and the negotiated protocol. */
export function Identity({ log }: { readonly log: Log }) {
  const server = useLogState(log, (state) => state.server);
  const { era, version, start } = useLogState(log, (state) => state.connection);
  const website = server.info && own(server.info, 'websiteUrl');
  const description = server.info && own(server.info, 'description');
  return (
    <>
      <FactList title="Identity">
        <Fact name="name">{server.info && <UntrustedText text={server.info.name || '(none)'} limit={300} />}</Fact>
        <Fact name="title">{server.info?.title && <UntrustedText text={server.info.title} limit={300} />}</Fact>
        <Fact name="icon">
          {server.info && own(server.info, 'icons') !== undefined && (
            <span className="flex flex-wrap items-center gap-x-2">
              <ServerIcon entry={server.info} size={20} />
              <IconFacts entry={server.info} />
            </span>
          )}
        </Fact>
        <Fact name="version">
          {server.info && <UntrustedText text={server.info.version || '(none)'} limit={100} />}
        </Fact>
        <Fact name="description">
          {typeof description === 'string' && <UntrustedText text={description} limit={600} />}
        </Fact>
        <Fact name="website">
          {typeof website === 'string' && (
            <ExternalLink address={website}>{visibleText(website.slice(0, 200))}</ExternalLink>
          )}
        </Fact>
        <Fact name="protocol">{version !== undefined && `${version}, ${era} era`}</Fact>
        <Fact name="requested">{start?.protocol === 'none' ? 'no handshake' : start?.protocol}</Fact>
        <Fact name="source">
          {server.seq !== undefined && (
            <>
              <FrameLink seq={server.seq} label="frame" /> <Freshness log={log} seq={server.seq} verb="·" />
            </>
          )}
        </Fact>
        {!server.info && <Fact name="serverInfo">not sent yet</Fact>}
      </FactList>
      {server.instructions !== undefined && (
        <section aria-label="Instructions" className="min-w-0">
          <h2 className="mb-1 font-medium">Instructions</h2>
          <Markdown text={server.instructions} />
        </section>
      )}
    </>
  );
}

/** The capabilities that the server declares. */
export function Capabilities({ log }: { readonly log: Log }) {
  const { capabilities, seq } = useLogState(log, (state) => state.server);
  const none = capabilities === undefined || Object.keys(capabilities).length === 0;
  return (
    <section aria-label="Capabilities" className="min-w-0">
      <h2 className="mb-1 font-medium">Capabilities</h2>
      {none ? (
        <p className="text-muted">This server declares no capabilities</p>
      ) : (
        <RenderGuard fallback={<p className="text-warn">! Nested too deeply to display</p>}>
          <Tree log={log} seq={seq} value={capabilities} />
        </RenderGuard>
      )}
    </section>
  );
}

/** The capabilities as the server wrote them. */
function Tree({ log, seq, value }: { readonly log: Log; readonly seq: number | undefined; readonly value: unknown }) {
  const json = useMemo(() => {
    const answer = seq === undefined ? undefined : messageSource(log, seq, log.row(seq - 1).id);
    return answer?.member('result')?.member('capabilities') ?? JsonSource.of(value);
  }, [log, seq, value]);
  return <JsonTree json={json} />;
}

/** Newest events shown; the log has the rest. */
const MOST = 60;

/** The connection's lifecycle events, in order. */
export function LifecycleList({ log }: { readonly log: Log }) {
  const seqs = useLogState(log, (state) => state.connection.seqs);
  const times = useLogTimes(log);
  const shown = seqs.slice(-MOST);
  return (
    <section aria-label="Lifecycle" className="min-w-0">
      <h2 className="mb-1 font-medium">Lifecycle</h2>
      {seqs.length > shown.length && <p className="text-muted">The newest {MOST} events. The log has the others</p>}
      <ol className="flex flex-col gap-0.5">
        {shown.map((seq) => {
          const text = log.text(seq - 1);
          const event = toLifecycleEvent(text);
          const words = (event && lifecycleSentence(event)) ?? text;
          return (
            <li key={seq} className="grid grid-cols-[90px_minmax(0,1fr)_auto] gap-2">
              <span className="tabular text-muted" title={times.other(log.columns.time(seq - 1))}>
                {times.shown(log.columns.time(seq - 1))}
              </span>
              <span className="break-words">
                <Sentence text={words.slice(0, 600)} />
              </span>
              <span className="text-small">
                <FrameLink seq={seq} label="frame" />
              </span>
            </li>
          );
        })}
      </ol>
    </section>
  );
}

/** The item in the page's address that scrolls to stderr. */
const STDERR_ITEM = 'stderr';

/** The server's stderr, newest last. Only visible lines are rendered. */
export function StderrView({ log }: { readonly log: Log }) {
  const { seqs, bytes } = useLogState(log, (state) => state.stderr);
  const all = () => seqs.map((seq) => withoutAnsi(log.text(seq - 1))).join('\n');
  const section = useRef<HTMLElement>(null);
  const { item, navigate } = useLocation();
  useEffect(() => {
    if (item !== STDERR_ITEM) return;
    section.current?.scrollIntoView({ block: 'start' });
    moveFocus(section.current, { preventScroll: true });
    // So that the next click scrolls again.
    navigate({ item: undefined }, { replace: true });
  }, [item, navigate]);
  return (
    <section ref={section} tabIndex={-1} aria-label="stderr" className="min-w-0 outline-none">
      <div className="mb-1 flex items-center gap-2">
        <h2 className="font-medium">stderr</h2>
        <span className="tabular text-muted">
          {countOf(seqs.length, 'line')} · {formatBytes(bytes)}
        </span>
        <span className="flex-1" />
        {seqs.length > 0 && <CopyButton text={all} label="Copy" />}
      </div>
      {seqs.length === 0 ? (
        <p className="text-muted">Nothing on stderr</p>
      ) : (
        <FrameLines log={log} seqs={seqs} label="stderr lines" kind="frame" className="h-64" />
      )}
    </section>
  );
}
