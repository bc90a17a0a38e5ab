import { useState } from 'react';
import { Button } from '@/components/ui/button';
import { Checkbox, TextInput } from '@/components/ui/inputs';
import { ErrorNote, Spinner } from '@/components/ui/notices';
import { UntrustedText } from '@/components/untrusted/untrusted-text';
import { APP_MIME_TYPE, type AppNeeds, type AppPage, readAppPage, toolApp } from '@/features/apps/lib/app-meta';
import { blockedAdvice } from '@/features/apps/lib/app-notices';
import { agreedAccess, allowedFeatures, judgeSource, localOrigin } from '@/features/apps/lib/app-policy';
import type { ResultViewProps } from '@/features/page-feature';
import { useClient } from '@/lib/hooks/client';
import { useClosedReason, useReadOnly } from '@/lib/hooks/connections';
import { useLogState } from '@/lib/hooks/log';
import type { Log } from '@/lib/store/log';
import { formatBytes } from '@/lib/wire/format';
import type { Failure } from '@/lib/wire/lifecycle';
import { type RunningApp, RunningAppView } from './running-app';

/** A page that was read, with its `_meta` as sent. */
interface ReadPage {
  readonly page: AppPage;
  readonly meta: unknown;
}

/** The app of a tool: what it declares, the user's agreement to it, and the app itself. */
export function AppDetail({ log, tool: listed, calledAs: tool }: ResultViewProps) {
  const { uri = '', visibility = [] } = toolApp(listed) ?? {};
  const client = useClient();
  const closed = useClosedReason(log);
  const readOnly = useReadOnly(log);
  const [read, setReadPage] = useState(() => pagesOf(log).get(uri));
  const setRead = (page: ReadPage) => {
    pagesOf(log).set(uri, page);
    setReadPage(page);
  };
  const [running, setRunning] = useState<RunningApp>();
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<Failure>();
  const [agreed, setAgreed] = useState<ReadonlySet<string>>(new Set());
  const [local, setLocal] = useState('');

  const attempt = async (work: () => Promise<void>) => {
    setBusy(true);
    setFailure(undefined);
    try {
      await work();
    } catch (error) {
      setFailure(failureOf(error));
    } finally {
      setBusy(false);
    }
  };
  const start = ({ page, meta }: ReadPage) =>
    attempt(async () => {
      if (!client.api) throw new Error('Apps run only with the proxy.');
      const origin = localOrigin(local);
      const opened = { html: page.html, meta, agreed: [...agreed], ...(origin !== undefined && { local: origin }) };
      const { path } = await client.api.ask<{ readonly path: string }>('apps', opened);
      setRunning({ path, features: allowedFeatures(agreedAccess(page.needs, agreed)) });
    });
  const readPage = () =>
    attempt(async () => {
      const { answeredExchange, resultIn } = await import('./app-session');
      const params = JSON.stringify({ uri });
      const { seq } = await client.send({
        type: 'request',
        connection: log.connection,
        method: 'resources/read',
        params,
      });
      const result = resultIn(log, await answeredExchange(log, seq!));
      const resource = log.state.resources.items.find(({ name, raw }) => (raw.uri ?? name) === uri);
      const page = typeof result === 'string' ? result : readAppPage(result, resource?.raw);
      if (typeof page === 'string') throw new Error(page);
      setRead({ page, meta: { ui: uiOf(page.needs) } });
    });

  const listedTool = useLogState(log, ({ tools }) => tools.items.find(({ name }) => name === tool));
  const newest = useLogState(log, () => log.latestRequest('tools/call', tool));
  const stop = () => setRunning(undefined);
  return (
    <div className="flex min-h-0 flex-1 flex-col gap-3 overflow-auto p-3">
      <p className="min-w-0 break-words text-muted">
        <UntrustedText text={uri} limit={300} className="font-mono text-wire" /> · visible to{' '}
        {visibility.join(' and ') || 'nobody'}
      </p>
      {readOnly ? (
        <p className="text-muted">An app runs only on a live connection. Its recorded messages are in the log.</p>
      ) : (
        <div className="flex flex-wrap items-center gap-2">
          <Button
            variant={read ? 'plain' : 'primary'}
            disabled={closed !== undefined || isBusy}
            title={closed}
            onClick={() => void readPage()}
          >
            {read ? 'Load again' : 'Load app'}
          </Button>
          {read && !running && (
            <Button variant="primary" disabled={closed !== undefined || isBusy} onClick={() => void start(read)}>
              Start app
            </Button>
          )}
          {running && <Button onClick={stop}>Stop app</Button>}
          {isBusy && <Spinner label="Working" />}
        </div>
      )}
      {failure && <ErrorNote failure={failure} />}
      {running && newest === undefined && (
        <p className="text-muted">Most apps wait for a call of their tool: call it to see its result here.</p>
      )}
      {running && read && (
        <RunningAppView
          key={running.path}
          {...{ log, tool, running }}
          advice={(notice) =>
            notice.kind === 'blocked'
              ? blockedAdvice(notice, { uri, needs: read.page.needs, tool: listedTool?.raw })
              : undefined
          }
          onStopped={(sentence) => {
            stop();
            setFailure({ code: 'app-stopped', message: sentence, advice: 'Start it again.' });
          }}
        />
      )}
      {read && <PageFacts page={read.page} agreed={agreed} onAgree={setAgreed} locked={running !== undefined} />}
      {read && !readOnly && <LocalFiles origin={local} onChange={setLocal} locked={running !== undefined} />}
    </div>
  );
}

const PAGES = new WeakMap<Log, Map<string, ReadPage>>();

/** Returns the pages that were read from a log's server, by URI: coming back to the app need not read them again. */
function pagesOf(log: Log): Map<string, ReadPage> {
  const known = PAGES.get(log) ?? new Map<string, ReadPage>();
  PAGES.set(log, known);
  return known;
}

function failureOf(error: unknown): Failure {
  const { code = 'app-failed', message = String(error), advice = 'See the message log.' } = error as Partial<Failure>;
  return { code, message, advice };
}

/** Writes needs as the `_meta.ui` of a resource, which is what the proxy reads. */
function uiOf({ connect, resource, frame, base, permissions }: AppNeeds) {
  return {
    csp: { connectDomains: connect, resourceDomains: resource, frameDomains: frame, baseUriDomains: base },
    permissions: Object.fromEntries(permissions.map((name) => [name, {}])),
  };
}

const KINDS = [
  ['connect', 'requests'],
  ['resource', 'scripts, styles, images'],
  ['frame', 'frames'],
  ['base', 'base address'],
] as const;

interface PageFactsProps {
  readonly page: AppPage;
  readonly agreed: ReadonlySet<string>;
  readonly onAgree: (agreed: ReadonlySet<string>) => void;
  /** The app runs with the present agreement. */
  readonly locked: boolean;
}

/** The origins and features that the app declares, with a choice for each. */
function PageFacts({ page, agreed, onAgree, locked }: PageFactsProps) {
  const { needs, mimeType, html } = page;
  const rows = KINDS.flatMap(([kind, words]) =>
    needs[kind].map((source) => ({ source, words, ...judgeSource(source) })),
  );
  const toggle = (name: string) => (on: boolean) => {
    const next = new Set(agreed);
    if (on) next.add(name);
    else next.delete(name);
    onAgree(next);
  };
  return (
    <section aria-label="Access" className="flex flex-col gap-1">
      <p className="text-muted">
        {formatBytes(new Blob([html]).size)}
        {mimeType !== APP_MIME_TYPE && (
          <span className="text-warn">
            {' '}
            · its MIME type is <UntrustedText text={mimeType ?? 'missing'} limit={100} />, not {APP_MIME_TYPE}
          </span>
        )}
      </p>
      {rows.length + needs.permissions.length === 0 ? (
        <p className="text-muted">No network access or permissions requested.</p>
      ) : (
        <p className="text-muted">It declares these. Nothing is allowed until you choose it.</p>
      )}
      {rows.map((row) =>
        'origin' in row ? (
          <Checkbox
            key={`${row.words} ${row.source}`}
            label={`${row.origin}: ${row.words}`}
            checked={agreed.has(row.origin)}
            disabled={locked}
            onChange={toggle(row.origin)}
          />
        ) : (
          <p key={`${row.words} ${row.source}`} className="text-error">
            <UntrustedText text={row.source} limit={200} className="font-mono" /> is refused. {row.refused}
          </p>
        ),
      )}
      {needs.permissions.map((name) => (
        <Checkbox
          key={name}
          label={`Permission: ${PERMISSIONS[name]}`}
          checked={agreed.has(name)}
          disabled={locked}
          onChange={toggle(name)}
        />
      ))}
    </section>
  );
}

const PERMISSIONS = {
  camera: 'camera',
  microphone: 'microphone',
  geolocation: 'location',
  clipboardWrite: 'write to the clipboard',
};

/** Takes the origin of a development server on this machine, whose files the app may load in this tab. */
function LocalFiles({
  origin,
  onChange,
  locked,
}: {
  readonly origin: string;
  readonly onChange: (origin: string) => void;
  readonly locked: boolean;
}) {
  const isValid = localOrigin(origin) !== undefined;
  return (
    <div className="flex flex-wrap items-end gap-2">
      <TextInput
        label="Files of a local server"
        placeholder="http://127.0.0.1:5173"
        value={origin}
        disabled={locked}
        onChange={onChange}
        className="w-56"
      />
      {origin.trim() !== '' && (
        <span className="text-error">
          {isValid
            ? 'Scripts, styles and images of this server are allowed in this tab. No host allows that.'
            : 'Write http://127.0.0.1:PORT, or localhost.'}
        </span>
      )}
    </div>
  );
}
