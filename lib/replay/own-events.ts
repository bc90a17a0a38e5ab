import type { RecordedCall, ServerEvent } from '@/lib/session/recorded-session';

const PROGRESS = 'notifications/progress';

/**
 * True for what came of a call alone, of all that came during it: nobody says it any more when the call is called off. Over Streamable HTTP that is
 * what came on its exchange. Elsewhere nothing tells; but what came of a call that was given up was said before that, and is said in any case.
 */
export function isOwn(event: ServerEvent, { exchange, answer, unanswered }: RecordedCall): boolean {
  if (event.method === PROGRESS) return true;
  if (exchange > 0 && (answer === undefined || answer.exchange === exchange)) return event.exchange === exchange;
  return unanswered?.why !== 'cancelled' && unanswered?.why !== 'timeout';
}
