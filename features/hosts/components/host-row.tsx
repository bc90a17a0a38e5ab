import { useEffect, useId, useRef } from 'react';
import { CopyButton } from '@/components/ui/button';
import { classNames } from '@/components/ui/class-names';
import { Icon } from '@/components/ui/icon';
import { Checkbox } from '@/components/ui/inputs';
import { Sentence } from '@/components/ui/notices';
import { HOST_STATES, type HostState, type HostVerdict } from '@/features/host-judge';
import type { Log } from '@/lib/store/log';
import { countOf } from '@/lib/wire/format';
import { hostReport } from '../lib/host-report';
import { hostLabel, obstacleCount, sentenceCase } from '../lib/labels';
import { ObstacleItem } from './obstacle-item';

const GLYPHS: Readonly<Record<HostState, string>> = {
  fails: '▲',
  loses: '△',
  unknown: '?',
  'no-obstacle': '•',
  'out-of-reach': '–',
};
const COLOURS: Readonly<Record<HostState, string>> = {
  fails: 'text-error',
  loses: 'text-warn',
  unknown: 'text-muted',
  'no-obstacle': 'text-text',
  'out-of-reach': 'text-muted',
};

/** A host with its verdict, and below it the obstacles once it is unfolded. */
export function HostRow({
  log,
  verdict,
  isChosen,
  onChoose,
  isShown,
  isOpen,
  onOpen,
}: {
  readonly log: Log;
  readonly verdict: HostVerdict;
  /** The person uses this host. */
  readonly isChosen: boolean;
  readonly onChoose: (isChosen: boolean) => void;
  /** A link led to this host. */
  readonly isShown: boolean;
  readonly isOpen: boolean;
  readonly onOpen: (isOpen: boolean) => void;
}) {
  const { state } = verdict;
  const id = useId();
  const row = useRef<HTMLLIElement>(null);
  useEffect(() => {
    if (isShown) row.current?.scrollIntoView({ block: 'nearest' });
  }, [isShown]);
  const title = hostLabel(verdict);
  const isJudged = state !== 'out-of-reach';
  return (
    <li ref={row} aria-current={isShown || undefined} className="border-b border-line">
      <div className={classNames('flex min-h-8 items-center gap-2 px-3', isShown && 'bg-accent/12')}>
        <Checkbox aria-label={`I use ${title}`} title="I use this host" checked={isChosen} onChange={onChoose} />
        <h2 className="w-36 shrink-0">
          {isJudged ? (
            <button
              type="button"
              aria-expanded={isOpen}
              aria-controls={isOpen ? id : undefined}
              onClick={() => onOpen(!isOpen)}
              className="flex h-7 w-full items-center gap-1 text-left font-medium"
            >
              <span className="shrink-0 text-muted">
                <Icon name={isOpen ? 'down' : 'forward'} />
              </span>
              <span className="truncate">{title}</span>
            </button>
          ) : (
            <span className="block truncate pl-5 text-muted">{title}</span>
          )}
        </h2>
        <p className="tabular flex min-w-0 flex-1 flex-wrap gap-x-3 py-1">
          <span className={COLOURS[state]}>
            <span aria-hidden="true">{GLYPHS[state]} </span>
            {sentenceCase(HOST_STATES[state])}
          </span>
          <span className="text-muted">{obstacleCount(verdict)}</span>
        </p>
      </div>
      {isJudged && isOpen && <Details id={id} log={log} verdict={verdict} />}
    </li>
  );
}

function Details({ id, log, verdict }: { readonly id: string; readonly log: Log; readonly verdict: HostVerdict }) {
  const { obstacles, untried, questions } = verdict;
  const title = hostLabel(verdict);
  return (
    <div id={id} className="flex min-w-0 flex-col gap-2 pr-3 pb-3 pl-9">
      {obstacles.length > 0 && (
        <ul aria-label={`Obstacles of ${title}`} className="flex max-w-[760px] flex-col gap-3">
          {obstacles.map((obstacle) => (
            <ObstacleItem key={obstacle.fact} log={log} obstacle={obstacle} />
          ))}
        </ul>
      )}
      {untried.map((sentence) => (
        <p key={sentence} className="text-muted">
          Not tried: <Sentence text={sentence} />
        </p>
      ))}
      {questions.length > 0 && (
        <details className="max-w-[760px]">
          <summary className="text-muted">What no frame shows: {countOf(questions.length, 'question')}</summary>
          <ul className="mt-1 flex list-disc flex-col gap-1 pl-5">
            {questions.map((question) => (
              <li key={question}>
                <Sentence text={question} />
              </li>
            ))}
          </ul>
        </details>
      )}
      <div className="-ml-1.5">
        <CopyButton
          label="Copy Markdown"
          name={`Copy Markdown of ${title}`}
          text={() => hostReport(log, [verdict], 'markdown')}
        />
      </div>
    </div>
  );
}
