import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { isDestructive } from '@/components/exchange/destructive-call';
import { Button } from '@/components/ui/button';
import { Checkbox, Select, TextInput } from '@/components/ui/inputs';
import { ErrorNote, Spinner } from '@/components/ui/notices';
import { AppFrame } from '@/components/untrusted/app-frame';
import { ExternalLink } from '@/components/untrusted/links';
import { UntrustedText } from '@/components/untrusted/untrusted-text';
import { APP_MIME_TYPE, type AppNeeds, type AppPage, type ListedApp, readAppPage } from '@/lib/apps/app-meta';
import { agreedAccess, allowedFeatures, judgeSource } from '@/lib/apps/app-policy';
import type { AppContext, AppSession } from '@/lib/hooks/app-session';
import type { AppWish } from '@/lib/hooks/app-wishes';
import { useClient } from '@/lib/hooks/client';
import { useClosedReason, useReadOnly } from '@/lib/hooks/connections';
import { navigate } from '@/lib/hooks/location';
import { useLogSize, useLogState } from '@/lib/hooks/log';
import { useTheme } from '@/lib/hooks/theme';
import type { Log } from '@/lib/store/log';
import { messageSource } from '@/lib/store/message-source';
import { formatBytes } from '@/lib/wire/format';
import type { Failure } from '@/lib/wire/lifecycle';
import { QuestionView, useQuestions } from './app-questions';

/** A page that was read, with its `_meta` as sent. */
interface ReadPage {
  readonly page: AppPage;
  readonly meta: unknown;
}

/** An app in its frame. */
interface RunningApp {
  readonly path: string;
  readonly features: string;
}

/** One app: what it declares, the user's agreement to it, and the app itself. */
export function AppDetail({ log, listed }: { readonly log: Log; readonly listed: ListedApp }) {
  const { tool, app } = listed;
  const client = useClient();
  const closed = useClosedReason(log);
  const readOnly = useReadOnly(log);
  const [read, setReadPage] = useState(() => pagesOf(log).get(app.uri));
  const setRead = (page: ReadPage) => {
    pagesOf(log).set(app.uri, page);
    setReadPage(page);
  };
  const [running, setRunning] = useState<RunningApp>();
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<Failure>();
  const [agreed, setAgreed] = useState<ReadonlySet<string>>(new Set());

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
      const access = agreedAccess(page.needs, agreed);
      if (!client.api) throw new Error('Apps run only with the proxy.');
      const { path } = await client.api.openApp({ html: page.html, meta, agreed: [...agreed] });
      setRunning({ path, features: allowedFeatures(access) });
    });
  const readPage = () =>
    attempt(async () => {
      const { answered, resultIn } = await import('@/lib/hooks/app-session');
      const params = JSON.stringify({ uri: app.uri });
      const { seq } = await client.send({
        type: 'request',
        connection: log.connection,
        method: 'resources/read',
        params,
      });
      const result = resultIn(log, await answered(log, seq!));
      const resource = log.state.resources.items.find(({ name, raw }) => (raw.uri ?? name) === app.uri);
      const page = typeof result === 'string' ? result : readAppPage(result, resource?.raw);
      if (typeof page === 'string') throw new Error(page);
      setRead({ page, meta: { ui: uiOf(page.needs) } });
    });

  const newest = useLogState(log, () => log.latestRequest('tools/call', tool));
  const callTool = async () => {
    const given = newest === undefined ? undefined : messageSource(log, newest, log.exchange(newest)?.id);
    const args = given?.member('params')?.member('arguments')?.text;
    const params = `{"name":${JSON.stringify(tool)},"arguments":${args ?? '{}'}}`;
    await client.send({ type: 'request', connection: log.connection, method: 'tools/call', params });
  };

  const stop = () => setRunning(undefined);
  return (
    <div className="flex min-h-0 flex-1 flex-col gap-3 overflow-auto p-3">
      <header className="flex min-w-0 flex-col gap-1">
        <h2 className="font-medium">
          App of <UntrustedText text={tool} limit={200} className="font-mono" />
        </h2>
        <p className="text-muted">
          <UntrustedText text={app.uri} limit={300} className="font-mono text-wire" /> · visible to{' '}
          {app.visibility.join(' and ') || 'nobody'}
        </p>
      </header>
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
          <Button disabled={closed !== undefined} title={closed} onClick={() => void attempt(callTool)}>
            {newest === undefined ? 'Call without arguments' : 'Call again'}
          </Button>
          <Button variant="ghost" onClick={() => navigate({ panel: 'tools', item: tool })}>
            Show tool
          </Button>
          {isBusy && <Spinner label="Working" />}
        </div>
      )}
      {failure && <ErrorNote failure={failure} />}
      {read && <PageFacts page={read.page} agreed={agreed} onAgree={setAgreed} locked={running !== undefined} />}
      {running && newest === undefined && (
        <p className="text-muted">Most apps wait for a call of their tool: call it to see its result here.</p>
      )}
      {running && read && (
        <RunningAppView
          key={running.path}
          {...{ log, tool, running }}
          onStopped={(sentence) => {
            stop();
            setFailure({ code: 'app-stopped', message: sentence, advice: 'Start it again.' });
          }}
        />
      )}
    </div>
  );
}

const PAGES = new WeakMap<Log, Map<string, ReadPage>>();

/** Returns the pages that were read from a log's server, by URI: coming back to the panel need not read them again. */
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

const START_HEIGHT = 320;
/** An app can ask for any height. */
const MOST_HEIGHT = 4000;

interface RunningAppProps {
  readonly log: Log;
  readonly tool: string;
  readonly running: RunningApp;
  readonly onStopped: (sentence: string) => void;
}

/** The app in its frame, its wishes, and the surroundings that the host gives it. */
function RunningAppView({ log, tool, running, onStopped }: RunningAppProps) {
  const client = useClient();
  const [, , systemDark] = useTheme();
  const [height, setHeight] = useState(START_HEIGHT);
  const [isReady, setReady] = useState(false);
  const [asked, ask] = useQuestions();
  const [wishes, setWishes] = useState<readonly (AppWish & { readonly number: number })[]>([]);
  const [theme, setTheme] = useState<'light' | 'dark'>(systemDark ? 'dark' : 'light');
  const [locale, setLocale] = useState(() => navigator.language);
  const [displayMode, setDisplayMode] = useState<'inline' | 'fullscreen'>('inline');
  const [width, setWidth] = useState('');
  const session = useRef<AppSession>(undefined);
  const containerWidth = Number(width) > 0 ? Number(width) : undefined;
  const context = useMemo(
    (): AppContext => ({
      ...{ theme, locale, displayMode, platform: 'web' },
      availableDisplayModes: ['inline', 'fullscreen'],
      timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
      containerDimensions: { maxHeight: MOST_HEIGHT, ...(containerWidth !== undefined && { width: containerWidth }) },
    }),
    [theme, locale, displayMode, containerWidth],
  );
  const latest = useRef({ context, onStopped });
  latest.current = { context, onStopped };
  const size = useLogSize(log);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a longer log may have a new call
  useEffect(() => session.current?.showNewestCall(), [size]);
  useEffect(() => session.current?.setContext(context), [context]);

  const onWindow = useCallback(
    async (app: Window) => {
      const { AppSession: Session } = await import('@/lib/hooks/app-session');
      const started = await Session.start(app, {
        ...{ log, client, tool },
        context: latest.current.context,
        events: {
          onReady: () => setReady(true),
          mayCall: async (called) => !isDestructive(called) || ask({ kind: 'call', tool: called }),
          mayDo: ask,
          onHeight: (asked) => setHeight(Math.min(MOST_HEIGHT, Math.max(40, Math.ceil(asked)))),
          onWish: (wish) => setWishes((all) => [{ ...wish, number: (all[0]?.number ?? 0) + 1 }, ...all].slice(0, 50)),
          onDisplayMode: setDisplayMode,
          onStopped: (sentence) => latest.current.onStopped(sentence),
        },
      });
      session.current = started;
      return () => {
        session.current = undefined;
        void started.stop();
      };
    },
    [log, client, tool, ask],
  );

  return (
    <section aria-label="Running app" className="flex flex-col gap-2">
      <fieldset className="flex flex-wrap items-end gap-2" aria-label="Host context">
        <Select
          label="Theme"
          value={theme}
          options={[
            { value: 'light', label: 'Light' },
            { value: 'dark', label: 'Dark' },
          ]}
          onChange={setTheme}
        />
        <Select
          label="Display mode"
          value={displayMode}
          options={[
            { value: 'inline', label: 'Inline' },
            { value: 'fullscreen', label: 'Full screen' },
          ]}
          onChange={setDisplayMode}
        />
        <TextInput label="Locale" value={locale} onChange={setLocale} className="w-24" />
        <TextInput
          label="Width in px"
          inputMode="numeric"
          placeholder="any"
          value={width}
          onChange={setWidth}
          className="w-24"
        />
        <span className="text-muted">{isReady ? 'The app is ready' : 'Waiting for the app…'}</span>
      </fieldset>
      {asked.map((question) => (
        <QuestionView key={question.number} asked={question} />
      ))}
      {wishes.length > 0 && (
        <section aria-label="What the app asked for">
          <h3 className="text-muted">What the app asked for</h3>
          <ul className="flex max-h-40 flex-col gap-1 overflow-auto">
            {wishes.map((wish) => (
              <li key={wish.number} className="min-w-0 break-words">
                <span className="text-muted">{WISHES[wish.kind]} </span>
                {wish.kind === 'link' ? (
                  <ExternalLink address={wish.text}>
                    <UntrustedText text={wish.text} limit={300} />
                  </ExternalLink>
                ) : (
                  <UntrustedText text={wish.text} limit={2000} />
                )}
                {wish.refused !== undefined && <span className="text-error"> refused: {wish.refused}</span>}
              </li>
            ))}
          </ul>
        </section>
      )}
      <AppFrame
        path={running.path}
        title={`App of ${tool}`}
        features={running.features}
        width={containerWidth}
        height={displayMode === 'fullscreen' ? Math.max(height, 600) : height}
        onWindow={onWindow}
      />
    </section>
  );
}

const WISHES: Readonly<Record<AppWish['kind'], string>> = {
  message: 'Message to the chat:',
  link: 'Open a link:',
  context: 'Context for the model:',
  download: 'Download:',
};
