import type { HttpSink } from '@/lib/transports/transport';

/** What is done with news of exchanges that nobody waits for: nothing. */
export const DEAF: Pick<HttpSink, 'message' | 'ended' | 'awaits' | 'unanswered' | 'sessionLost'> = {
  message: () => {},
  ended: () => {},
  awaits: () => false,
  unanswered: () => {},
  sessionLost: () => {},
};
