import { memo, useEffect, useState } from 'react';
import { Button } from '@/components/ui/button';
import { ErrorNote, Spinner } from '@/components/ui/notices';
import { Markdown } from '@/components/untrusted/markdown';
import { PreformattedText, UntrustedText } from '@/components/untrusted/untrusted-text';
import type { ChatFailure } from '@/lib/chat/chat-frame';
import type { AnswerTurn, ChatBlock, ChatRetry } from '@/lib/chat/chat-state';
import { formatCount, formatDuration } from '@/lib/wire/format';
import { newestBlocks } from './answer-blocks';
import { type BranchPlace, BranchSwitch } from './branch-switch';
import { CallRow } from './call-row';
import type { ChatActions } from './use-chat-actions';

/** Classes of a button that waits beside a turn. */
export const QUIET = 'text-muted hover:text-text aria-pressed:bg-text/10 aria-pressed:text-text';

interface AnswerViewProps extends BranchPlace {
  readonly turn: AnswerTurn;
  /** Changes with the turn, whose parts change in place. */
  readonly version: number;
  readonly actions: ChatActions | undefined;
  /** The last turn of the chat that is shown. */
  readonly isLast: boolean;
  readonly viewed: boolean;
  readonly onView: (turn: string) => void;
  /** Shows another branch, or only the turns up to this one. */
  readonly onShow: (turn: string, only?: boolean) => void;
}

/** An answer of the model: what it wrote, its calls, and how it ended. */
export const AnswerView = memo(function AnswerView(props: AnswerViewProps) {
  const { turn, version, actions, isLast, viewed, onView, onShow } = props;
  const { requests, end, usage, parent } = turn;
  const model = turn.settings?.model ?? 'model';
  const milliseconds = requests.reduce((sum, { response }) => sum + (response?.milliseconds ?? 0), 0);
  return (
    <article aria-label="Answer" className="min-w-0 py-2">
      <header className="flex min-h-6 flex-wrap items-center gap-x-2 text-small text-muted">
        <UntrustedText text={model} limit={100} className="font-mono text-text" />
        {end && milliseconds > 0 && <span className="tabular">{formatDuration(milliseconds * 1000)}</span>}
        {usage.inputTokens !== undefined && <span className="tabular">{formatCount(usage.inputTokens)} tokens in</span>}
        {usage.outputTokens !== undefined && <span className="tabular">{formatCount(usage.outputTokens)} out</span>}
        {usage.cost !== undefined && <span className="tabular">{formatCost(usage.cost)}</span>}
        <span className="flex-1" />
        <BranchSwitch place={props.place} earlier={props.earlier} later={props.later} onShow={onShow} />
        <span className="-mr-1.5 flex">
          {actions && end && parent !== undefined && (
            <Button size="small" variant="ghost" className={QUIET} onClick={() => actions.retry(parent)}>
              Try again
            </Button>
          )}
          {actions && end && !isLast && (
            <Button size="small" variant="ghost" className={QUIET} onClick={() => onShow(turn.id, true)}>
              Branch
            </Button>
          )}
          {requests.length > 0 && (
            <Button
              size="small"
              variant="ghost"
              className={QUIET}
              aria-pressed={viewed}
              onClick={() => onView(turn.id)}
            >
              Model’s view
            </Button>
          )}
        </span>
      </header>
      <Blocks turn={turn} version={version} actions={actions} />
      <AnswerEnd turn={turn} />
    </article>
  );
});

/** Blocks of an answer that are drawn at first. A hostile recording may have very many. */
const FIRST_BLOCKS = 500;

function Blocks({ turn, version, actions }: Pick<AnswerViewProps, 'turn' | 'version' | 'actions'>) {
  const { requests, end } = turn;
  const [most, setMost] = useState(FIRST_BLOCKS);
  const { shown, earlier } = newestBlocks(requests, most);
  const calls = new Map(turn.calls.map((call) => [call.call.id, call]));
  return (
    <>
      {earlier > 0 && (
        <Button size="small" variant="ghost" className={QUIET} onClick={() => setMost(most + FIRST_BLOCKS)}>
          {formatCount(earlier)} earlier parts, show {formatCount(Math.min(FIRST_BLOCKS, earlier))}
        </Button>
      )}
      {shown.map(({ request: { number, blocks, response }, from }) =>
        blocks.slice(from).map((block, offset) => {
          const index = from + offset;
          if (block.type === 'call') {
            const call = calls.get(block.id);
            return call && <CallRow key={block.id} call={call} turn={turn} version={version} actions={actions} />;
          }
          const isWritten = response !== undefined || end !== undefined || index < blocks.length - 1;
          return <Written key={`${number} ${index}`} type={block.type} text={block.text} isDone={isWritten} />;
        }),
      )}
    </>
  );
}

/** Text of the model. While it is written, only its whole paragraphs are laid out as Markdown. */
const Written = memo(function Written({
  type,
  text,
  isDone,
}: {
  readonly type: Exclude<ChatBlock['type'], 'call'>;
  readonly text: string;
  readonly isDone: boolean;
}) {
  if (type === 'reasoning') {
    return (
      <details className="my-1 text-muted">
        <summary className="min-h-6 cursor-pointer text-small leading-6">
          Reasoning, {formatCount(text.length)} characters
        </summary>
        <div className="border-l-2 border-line pl-2">
          <PreformattedText text={text} />
        </div>
      </details>
    );
  }
  const end = isDone ? text.length : wholeParagraphs(text);
  const rest = text.slice(end);
  return (
    <div className="flex min-w-0 flex-col gap-2">
      {end > 0 && <Markdown text={text.slice(0, end)} />}
      {rest !== '' && <PreformattedText text={rest} />}
    </div>
  );
});

/** Returns the length of the paragraphs that are written to their end, outside of a code block that is still open. */
function wholeParagraphs(text: string): number {
  const end = text.lastIndexOf('\n\n');
  if (end < 0) return 0;
  const fences = text.slice(0, end).match(/^ {0,3}(?:```|~~~)/gm)?.length ?? 0;
  if (fences % 2 === 0) return end + 2;
  return Math.max(0, text.lastIndexOf('\n```', end), text.lastIndexOf('\n~~~', end));
}

/** Says how an answer ended, or what it waits for. */
function AnswerEnd({ turn }: { readonly turn: AnswerTurn }) {
  const { end, requests, calls } = turn;
  const last = requests.at(-1);
  if (!end) {
    const retry = last && last.blocks.length === 0 && !last.response ? last.retries.at(-1) : undefined;
    if (retry) return <Retrying key={retry.seq} retry={retry} />;
    if (calls.some(({ result, decision, asked }) => !result && !decision && asked)) return null;
    return (
      <p role="status" className="flex min-h-6 items-center gap-2 text-small text-muted">
        <Spinner />
        {last === undefined ? 'Starting' : last.response ? 'Running calls' : 'Waiting for the model'}
      </p>
    );
  }
  if (end.failure) {
    return (
      <div className="mt-1">
        {end.reason === 'limit' ? <LimitNote failure={end.failure} /> : <ErrorNote failure={end.failure} />}
      </div>
    );
  }
  const word = END_WORDS[end.reason];
  return word === undefined ? null : <p className="mt-1 text-small text-warn">! {word}</p>;
}

const END_WORDS: Readonly<Record<string, string>> = {
  cancelled: 'Cancelled',
  length: 'Cut: the limit of output tokens is reached',
  refusal: 'The model refused to answer',
  error: 'The answer failed',
  limit: 'A limit is reached',
};

function LimitNote({ failure }: { readonly failure: ChatFailure }) {
  return (
    <div role="alert" className="border-l-2 border-warn bg-warn/6 px-3 py-2">
      <p className="font-medium text-warn">! {failure.message}</p>
      <p>{failure.advice}</p>
    </div>
  );
}

/** Counts down to the next attempt. */
function Retrying({ retry }: { readonly retry: ChatRetry }) {
  const [left, setLeft] = useState(Math.ceil(retry.waitMs / 1000));
  useEffect(() => {
    const timer = setInterval(() => setLeft((seconds) => Math.max(0, seconds - 1)), 1000);
    return () => clearInterval(timer);
  }, []);
  return (
    <div role="status" className="mt-1 border-l-2 border-warn px-3 py-1">
      <p className="text-warn">
        ! <UntrustedText text={retry.failure.message} limit={500} />
      </p>
      <p className="tabular text-muted">
        {left > 0 ? `Trying again in ${left} s` : 'Trying again'}, attempt {retry.attempt}
      </p>
    </div>
  );
}

/** Returns a cost with as many digits as say something. */
export function formatCost(cost: number): string {
  return `cost ${cost >= 1 ? cost.toFixed(2) : cost.toPrecision(2)}`;
}
