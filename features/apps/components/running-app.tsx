import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { isDestructive } from '@/components/exchange/destructive-call';
import { Select, TextInput } from '@/components/ui/inputs';
import { ExternalLink } from '@/components/untrusted/links';
import { UntrustedText } from '@/components/untrusted/untrusted-text';
import type { AppNotice } from '@/features/apps/lib/app-notices';
import { useClient } from '@/lib/hooks/client';
import { useLogSize } from '@/lib/hooks/log';
import { useTheme } from '@/lib/hooks/theme';
import type { Log } from '@/lib/store/log';
import { AppFrame } from './app-frame';
import { AppNotices } from './app-notices';
import { QuestionView, useQuestions } from './app-questions';
import type { AppContext, AppSession } from './app-session';
import type { AppWish } from './app-wishes';

/** An app in its frame. */
export interface RunningApp {
  readonly path: string;
  readonly features: string;
}

const START_HEIGHT = 320;
/** An app can ask for any height. */
const MOST_HEIGHT = 4000;

interface RunningAppProps {
  readonly log: Log;
  readonly tool: string;
  readonly running: RunningApp;
  /** Says what to change so that a request is not blocked. */
  readonly advice: (notice: AppNotice) => string | undefined;
  readonly onStopped: (sentence: string) => void;
}

/** The app in its frame, its wishes, and the surroundings that the host gives it. */
export function RunningAppView({ log, tool, running, advice, onStopped }: RunningAppProps) {
  const client = useClient();
  const [, , systemDark] = useTheme();
  const [height, setHeight] = useState(START_HEIGHT);
  const [isReady, setReady] = useState(false);
  const [asked, ask] = useQuestions();
  const [wishes, setWishes] = useState<readonly (AppWish & { readonly number: number })[]>([]);
  const [notices, setNotices] = useState<readonly AppNotice[]>([]);
  const [theme, setTheme] = useState<'light' | 'dark'>(systemDark ? 'dark' : 'light');
  const [locale, setLocale] = useState(() => navigator.language);
  const [displayMode, setDisplayMode] = useState<'inline' | 'fullscreen'>('inline');
  const [width, setWidth] = useState('');
  const session = useRef<AppSession>(undefined);
  const containerWidth = Number(width) > 0 ? Number(width) : undefined;
  const context = useMemo(
    (): AppContext => ({
      theme,
      locale,
      displayMode,
      platform: 'web',
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
      const { AppSession: Session } = await import('./app-session');
      const started = await Session.start(app, {
        log,
        client,
        tool,
        context: latest.current.context,
        events: {
          onReady: () => setReady(true),
          mayCall: async (called) => !isDestructive(called) || ask({ kind: 'call', tool: called }),
          mayDo: ask,
          onHeight: (asked) => setHeight(Math.min(MOST_HEIGHT, Math.max(40, Math.ceil(asked)))),
          onWish: (wish) => setWishes((all) => [{ ...wish, number: (all[0]?.number ?? 0) + 1 }, ...all].slice(0, 50)),
          onDisplayMode: setDisplayMode,
          onNotice: (notice) => setNotices((all) => [...all, notice].slice(-100)),
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
      <AppNotices notices={notices} advice={advice} />
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
    </section>
  );
}

const WISHES: Readonly<Record<AppWish['kind'], string>> = {
  message: 'Message to the chat:',
  link: 'Open a link:',
  context: 'Context for the model:',
  download: 'Download:',
};
