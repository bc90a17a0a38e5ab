import type { ConnectionFacts } from '@/lib/store/state';

const WORDS: Readonly<Record<NonNullable<ConnectionFacts['closing']>, string>> = {
  user: 'You disconnected.',
  restart: 'You restarted it: the new connection is another one in the list.',
  'no-viewer': 'It was ended because no page was open for the whole grace time.',
  'page-gone': 'It was direct, so it ended when the page was closed or loaded again.',
  shutdown: 'It was ended because mcp-inspect quit.',
  failure: 'It was ended because the connection failed.',
};

/** Why a connection that did not fail is over. */
export function closedWords(reason: ConnectionFacts['closing']): string {
  // A log may be of a newer version.
  return reason !== undefined && Object.hasOwn(WORDS, reason) ? WORDS[reason] : 'This connection has ended.';
}
