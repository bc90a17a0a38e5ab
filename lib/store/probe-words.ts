import type { Era } from '@/lib/wire/lifecycle';

/** The sentence for an outstanding probe: whose question it is, and what follows. */
export function probeSilentWords(afterMs: number): string {
  return `No answer to our probe server/discover for ${afterMs / 1000} s, so initialize is sent as well.`;
}

/** The sentence for a server that was started a second time because of the probe, which found this era. */
export function startedTwiceWords(era: Era): string {
  const why =
    era === 'legacy'
      ? 'it exited during the server/discover probe, so it was started again with initialize'
      : 'it was sent initialize too, so it was started again with server/discover alone';
  return `The server was started twice: ${why}.`;
}
