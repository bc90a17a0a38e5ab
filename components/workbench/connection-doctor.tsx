import { type ReactNode, useState } from 'react';
import { Button, CopyButton } from '@/components/ui/button';
import { ErrorNote, Spinner } from '@/components/ui/notices';
import { visibleText } from '@/components/ui/visible-text';
import { type Diagnosis, diagnosisText, type Step, type StepState, stepLabel } from '@/lib/doctor/diagnosis';
import type { Action } from '@/lib/doctor/finding';
import { navigate } from '@/lib/hooks/location';
import type { StartEvent } from '@/lib/store/state/state';
import type { UrlTarget } from '@/lib/wire/command';
import { formatDuration } from '@/lib/wire/format';
import { useCommand } from './connection-commands';

/** Explains why a server at a URL can't be reached: the verdict, fixes to try with one click, and the evidence. */
export function ConnectionDoctor({
  diagnosis,
  connection,
  start,
  onConnected,
  children,
}: {
  readonly diagnosis: Diagnosis;
  readonly connection: string;
  readonly start: Extract<StartEvent, { transport: UrlTarget['transport'] }>;
  readonly onConnected: (connection: string) => void;
  /** More buttons, after the doctor's own. */
  readonly children: ReactNode;
}) {
  const { run, pending, failure } = useCommand();
  const [looking, setLooking] = useState(false);
  const { code, what, advice, actions, steps } = diagnosis;
  const act = async (action: Action) => {
    if (action.kind === 'look-further') {
      setLooking(true);
      await run({ type: 'look-further', connection, where: action.where });
      setLooking(false);
      return;
    }
    const target = actionTarget(action, connection, start);
    const made = await run({ type: 'connect', target, protocol: start.protocol });
    if (made !== undefined) onConnected(made);
  };
  return (
    <>
      <ErrorNote failure={{ code, message: visibleText(what), advice: visibleText(advice) }}>
        {actions.map((action) => (
          <Button
            key={JSON.stringify(action)}
            variant={action.kind === 'skip-verification' ? 'danger' : 'primary'}
            disabled={pending}
            onClick={() => void act(action)}
            title={TITLES[action.kind]}
            className="max-w-full"
          >
            <span className="truncate">
              {action.kind === 'look-further' ? 'Try other addresses' : visibleText(actionLabel(action, start.url))}
            </span>
          </Button>
        ))}
        {children}
        {looking && <Spinner label="Looking" />}
      </ErrorNote>
      {failure && <ErrorNote failure={failure} />}
      <section aria-label="Connection doctor" className="flex flex-col gap-1">
        <div className="flex items-center justify-between">
          <h2 className="text-muted">Connection doctor</h2>
          <CopyButton label="Copy as text" text={() => diagnosisText(diagnosis, start.url)} />
        </div>
        <DoctorSteps steps={steps} />
      </section>
    </>
  );
}

const TITLES: Readonly<Record<Action['kind'], string>> = {
  'look-further': 'Tries common addresses of this server. The log shows each request',
  'use-url': 'Connects again with this address',
  'skip-verification': 'Dangerous: an attacker could impersonate this server and read your headers and messages',
};

const STATES: Readonly<Record<StepState, { readonly glyph: string; readonly colour: string }>> = {
  ok: { glyph: '✓', colour: 'text-ok' },
  failed: { glyph: '×', colour: 'text-error' },
  'not reached': { glyph: '·', colour: 'text-muted' },
  unknown: { glyph: '?', colour: 'text-muted' },
  unused: { glyph: '–', colour: 'text-muted' },
};

/** The steps of connecting: how each went, how long it took, and the evidence. */
function DoctorSteps({ steps }: { readonly steps: readonly Step[] }) {
  return (
    <ol aria-label="Steps" className="flex flex-col divide-y divide-line border-y border-line">
      {steps.map((step) => (
        <li key={step.id}>
          {step.evidence.length > 1 ? (
            <details open={step.state === 'failed'} className="group/step">
              <summary className="my-0 py-0.5">
                <Head step={step} />
              </summary>
              <ul className="pb-1 pl-[46px]">
                {step.evidence.map(({ text, seq }, index) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: lines are never reordered
                  <li key={index}>
                    <Line text={text} seq={seq} />
                  </li>
                ))}
              </ul>
            </details>
          ) : (
            <div className="py-0.5 pl-[14px]">
              <Head step={step} alone />
            </div>
          )}
        </li>
      ))}
    </ol>
  );
}

/** A step's title line. `alone`: it has no details to open. */
function Head({
  step: { id, title, state, ms, evidence },
  alone = false,
}: {
  readonly step: Step;
  readonly alone?: boolean;
}) {
  const { glyph, colour } = STATES[state];
  const words = stepLabel({ id, state });
  const [first] = evidence;
  return (
    <span
      className={`inline-grid ${alone ? 'w-full' : 'w-[calc(100%-20px)]'} grid-cols-[16px_108px_64px_minmax(0,1fr)] items-baseline gap-x-2 align-top`}
    >
      <span aria-hidden="true" className={`text-center font-medium ${colour}`}>
        {glyph}
      </span>
      <span className={state === 'failed' ? 'font-medium text-error' : state === 'ok' ? '' : 'text-muted'}>
        {title}
        <span className="sr-only"> {words}</span>
      </span>
      <span className="tabular text-right text-muted">{ms === undefined ? '' : formatDuration(ms * 1000)}</span>
      {evidence.length === 1 && first ? (
        <Line text={first.text} seq={first.seq} />
      ) : (
        <span className="truncate font-mono text-wire text-muted group-open/step:invisible">
          {first ? visibleText(first.text) : words}
        </span>
      )}
    </span>
  );
}

/** One piece of evidence, linked to its frame. */
function Line({ text, seq }: { readonly text: string; readonly seq: number | undefined }) {
  const shown = visibleText(text);
  if (seq === undefined) return <span className="font-mono text-wire wrap-anywhere">{shown}</span>;
  return (
    <button
      type="button"
      onClick={() => navigate({ frame: seq, http: true })}
      className="-my-1 flex w-full items-baseline gap-2 rounded py-1 text-left hover:bg-text/6"
    >
      <span className="min-w-0 font-mono text-wire wrap-anywhere">{shown}</span>
      <span className="tabular ml-auto shrink-0 text-small text-accent underline">#{seq}</span>
    </button>
  );
}

type UrlStart = Extract<StartEvent, { transport: UrlTarget['transport'] }>;

/** An action that connects again with other settings. */
export type ConnectAction = Exclude<Action, { kind: 'look-further' }>;

/** Returns the target of an action. It is based on the failed connection, which keeps the header values. */
export function actionTarget(action: ConnectAction, connection: string, start: UrlStart): UrlTarget {
  const { transport, url, tls, client } = start;
  if (action.kind === 'skip-verification') {
    return { transport, base: connection, url, ...(client && { client }), tls: { ...tls, insecure: true } };
  }
  const near = URL.canParse(url) && new URL(url).origin === new URL(action.url).origin;
  return { transport: action.transport, base: connection, url: action.url, ...(near && client && { client }) };
}

/** Returns an action's button label. */
export function actionLabel(action: ConnectAction, url: string): string {
  if (action.kind === 'skip-verification') return 'Connect without verifying';
  const to = new URL(action.url);
  const near = URL.canParse(url) && new URL(url).origin === to.origin;
  const sameAddress = near && new URL(url).href === to.href;
  if (sameAddress) return action.transport === 'sse' ? 'Use HTTP+SSE instead' : 'Use Streamable HTTP instead';
  return `Use ${near ? to.pathname + to.search : to.origin + to.pathname + to.search} instead`;
}
