import type { ReactNode } from 'react';
import { FrameLink } from '@/components/exchange/frame-link';
import { Badge } from '@/components/ui/badge';
import { Button } from '@/components/ui/button';
import { Icon } from '@/components/ui/icon';
import { Sentence } from '@/components/ui/notices';
import { visibleText } from '@/components/ui/visible-text';
import { SpecLink } from '@/components/untrusted/links';
import { UntrustedText } from '@/components/untrusted/untrusted-text';
import type { SeenStep, StepOutcome } from '@/lib/auth-steps/auth-steps';
import { kindFacts, PROOF_SPEC } from '@/lib/auth-steps/step-kinds';
import { useLogTimes } from '@/lib/hooks/times';
import type { Log } from '@/lib/store/log';
import type { ShownHeaders } from '@/lib/wire/http-frame';
import { Fact } from '../shared/fact-list';
import type { AuthStepRunner } from './use-auth-step';

export const OUTCOMES: {
  readonly [O in StepOutcome]: { readonly word: string; readonly tone: 'ok' | 'error' | 'accent' };
} = {
  waiting: { word: 'waiting', tone: 'accent' },
  ok: { word: 'done', tone: 'ok' },
  refused: { word: 'refused', tone: 'error' },
  failed: { word: 'failed', tone: 'error' },
};

/** One step, which opens to its request, its response and what comes next. */
export function AuthStepItem({
  log,
  step,
  run,
}: {
  readonly log: Log;
  readonly step: SeenStep;
  /** Absent where nothing can be run. */
  readonly run: AuthStepRunner | undefined;
}) {
  const times = useLogTimes(log);
  const { title, purpose, specs, next, otherwise, run: command } = kindFacts(step.kind);
  const { word, tone } = OUTCOMES[step.outcome];
  const { request, response } = step;
  const hasProof = request?.headers.some(([name]) => name.toLowerCase() === 'dpop');
  const isOver = step.outcome === 'refused' || step.outcome === 'failed';
  const time = log.columns.time(step.seq - 1);
  return (
    <li className="border-b border-line">
      <details className="group/step">
        <summary className="flex min-h-8 cursor-pointer flex-wrap items-center gap-x-2 gap-y-0.5 py-1 hover:bg-text/4">
          <span className="text-muted group-open/step:rotate-90">
            <Icon name="forward" />
          </span>
          <span className="font-medium">{title}</span>
          <Badge tone={step.kind === 'challenge' && !step.corrupted ? 'muted' : tone}>
            {step.kind === 'challenge' ? (response?.status ?? word) : word}
          </Badge>
          {step.alone && <Badge>run alone</Badge>}
          {step.corrupted && <Badge tone="warn">token corrupted</Badge>}
          <span className="flex-1" />
          <span className="tabular text-muted" title={times.other(time)}>
            {times.shown(time)}
          </span>
          {step.said !== undefined && (
            <span className="w-full min-w-0 pl-6 break-words text-muted">
              <Sentence text={step.said.slice(0, 600)} />
            </span>
          )}
        </summary>
        <div className="flex min-w-0 flex-col gap-2 pt-1 pb-3 pl-6">
          <p>{purpose}</p>
          {(specs.length > 0 || hasProof) && (
            <p className="flex flex-wrap gap-x-3">
              {[...specs, ...(hasProof ? [PROOF_SPEC] : [])].map((spec) => (
                <SpecLink key={spec.url} {...spec} />
              ))}
            </p>
          )}
          {request && (
            <Part title="Request" seq={request.seq}>
              <Fact name="to">
                <span className="font-mono text-wire break-all">
                  {request.method} {visibleText(request.url.slice(0, 2_000))}
                </span>
              </Fact>
              <HeaderFacts headers={request.headers} />
              <Body text={request.body} />
            </Part>
          )}
          {response ? (
            <Part title="Response" seq={response.seq}>
              <Fact name="status">{response.status}</Fact>
              <HeaderFacts headers={response.headers} />
              <Body text={response.body} />
            </Part>
          ) : (
            request && (
              <p className="text-muted">{step.outcome === 'waiting' ? 'Waiting for the response' : 'No response'}</p>
            )
          )}
          {step.values && (
            <Part title={step.kind === 'callback' ? 'Parameters' : 'Address'} seq={step.seq}>
              <Pairs pairs={step.values} />
            </Part>
          )}
          <p>
            <span className="text-muted">Next: </span>
            {isOver ? otherwise : next}
          </p>
          {run && command && (
            <div>
              <Button size="small" disabled={run.running !== undefined} onClick={() => run.run(command)}>
                {run.running === command
                  ? 'Running…'
                  : command === 'exchange'
                    ? 'Send the code again'
                    : 'Run only this step'}
              </Button>
            </div>
          )}
        </div>
      </details>
    </li>
  );
}

function Part({
  title,
  seq,
  children,
}: {
  readonly title: string;
  readonly seq: number;
  readonly children: ReactNode;
}) {
  return (
    <div className="min-w-0">
      <h3 className="text-muted">
        {title} <FrameLink seq={seq} label="frame" />
      </h3>
      <dl className="grid min-w-0 grid-cols-[minmax(0,130px)_minmax(0,1fr)] gap-x-2 gap-y-0.5 [&>dt]:break-words">
        {children}
      </dl>
    </div>
  );
}

/** Headers that say something about authorization. The frame has all of them. */
const TELLING: ReadonlySet<string> = new Set([
  'authorization',
  'www-authenticate',
  'content-type',
  'accept',
  'dpop',
  'dpop-nonce',
  'location',
  'cache-control',
]);

function HeaderFacts({ headers }: { readonly headers: ShownHeaders }) {
  return <Pairs pairs={headers.filter(([name]) => TELLING.has(name.toLowerCase()))} />;
}

function Pairs({ pairs }: { readonly pairs: readonly (readonly [string, string])[] }) {
  return pairs.slice(0, 60).map(([name, value], index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: names repeat, and the list never changes
    <Fact key={index} name={visibleText(name.slice(0, 80))}>
      <UntrustedText text={value || '(empty)'} limit={600} className="font-mono text-wire break-all" />
    </Fact>
  ));
}

/** The members of a body: a form, or a JSON object. Other text as it is. */
function Body({ text }: { readonly text: string | undefined }) {
  if (text === undefined || text === '') return null;
  const pairs = pairsIn(text);
  if (pairs) return <Pairs pairs={pairs} />;
  return (
    <Fact name="body">
      <UntrustedText text={text} limit={2_000} className="font-mono text-wire whitespace-pre-wrap break-all" />
    </Fact>
  );
}

function pairsIn(text: string): readonly (readonly [string, string])[] | undefined {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
    return Object.entries(value).map(([name, member]) => [
      name,
      typeof member === 'string' ? member : JSON.stringify(member),
    ]);
  } catch {
    return /^[\w.~%+*-]+=[^\s]*$/.test(text) ? [...new URLSearchParams(text)] : undefined;
  }
}
