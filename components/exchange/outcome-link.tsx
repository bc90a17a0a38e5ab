import { formatDuration } from '@/components/ui/format';
import { answerOf } from './answer';
import { isForgotten } from './http-loss';
import { outcomeOf } from './outcome';
import { OutcomeWord } from './outcome-word';
import { RESULT_ID } from './result-region';
import type { Request } from './use-request';

/** Where the result is below its request: how it went, beside the button that sends, and the way there. */
export function OutcomeLink({ request: { log, exchange } }: { readonly request: Request }) {
  if (!exchange) return null;
  const outcome = outcomeOf(exchange, answerOf(log, exchange), undefined, isForgotten(log, exchange));
  return (
    <button
      type="button"
      title="Go to the result"
      onClick={() => document.getElementById(RESULT_ID)?.scrollIntoView({ block: 'start' })}
      className="tabular rounded px-1 hover:bg-text/8 @3xl:hidden"
    >
      <OutcomeWord outcome={outcome} />
      {exchange.durationUs !== undefined && ` ${formatDuration(exchange.durationUs)}`}
      <span aria-hidden="true"> ↓</span>
    </button>
  );
}
