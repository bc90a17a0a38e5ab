import type { RecordedSession, ServerEvent } from './recorded-session';

/** Everything that the server said besides answers: what came before anything, then by what it belongs to. */
export function eventsOf({ before, sent }: RecordedSession): readonly ServerEvent[] {
  return [
    ...before,
    ...sent.flatMap((message) => [...(message.kind === 'call' ? message.during : []), ...message.after]),
  ];
}
