import { memo, useState } from 'react';
import { Button } from '@/components/ui/button';
import { Markdown } from '@/components/untrusted/markdown';
import { PreformattedText, UntrustedText } from '@/components/untrusted/untrusted-text';
import { ANSWER_BUTTONS } from '@/features/answer-buttons';
import type { AnswerTurn, ChatBlock } from '@/features/chat/lib/chat-state';
import type { Log } from '@/lib/store/log';
import { formatCount, formatDuration } from '@/lib/wire/format';
import { newestBlocks } from './answer-blocks';
import { type BranchPlace, BranchSwitch } from './branch-switch';
import { CallRow } from './call-row';
import { AnswerEnd } from './model/answer-end';
import type { ChatActions } from './use-chat-actions';

/** Classes of a button that waits beside a turn. */
export const QUIET = 'text-muted hover:text-text aria-pressed:bg-text/10 aria-pressed:text-text';

interface AnswerViewProps extends BranchPlace {
  readonly log: Log;
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
  const { log, turn, version, actions, isLast, viewed, onView, onShow } = props;
  const { requests, end, usage, parent } = turn;
  const model = turn.settings?.model ?? 'model';
  const milliseconds = requests.reduce((sum, { response }) => sum + (response?.milliseconds ?? 0), 0);
  return (
    <article aria-label="Answer" className="min-w-0 py-2">
      <header className="flex min-h-6 flex-wrap items-center gap-x-2 text-small text-muted">
        <UntrustedText text={model} limit={100} className="font-mono text-text" />
        {end && milliseconds > 0 && (
          <span className="tabular" title="Without calls, and without waiting for you">
            model {formatDuration(milliseconds * 1000)}
          </span>
        )}
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
          {actions && end && !isLast && turn.kind === 'answer' && (
            <Button size="small" variant="ghost" className={QUIET} onClick={() => onShow(turn.id, true)}>
              Branch
            </Button>
          )}
          {end &&
            ANSWER_BUTTONS.map((FeatureButton, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the list never changes
              <FeatureButton key={index} log={log} turn={turn.id} className={QUIET} />
            ))}
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
      <AnswerEnd turn={turn} version={version} />
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
    <div className="flex min-w-0 flex-col gap-2 [&>div>*]:max-w-[80ch]!">
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

/** Returns a cost with its significant digits. */
export function formatCost(cost: number): string {
  return `cost ${cost >= 1 ? cost.toFixed(2) : cost.toPrecision(2)}`;
}
