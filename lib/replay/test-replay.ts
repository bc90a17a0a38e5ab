import { SessionReader } from '@/lib/session/session-reader';
import { type FrameSeed, framesOf } from '@/lib/store/test-frames';
import { FakeClock } from '@/lib/wire/test-clock';
import { CallBook } from './call-book';
import type { Outlet } from './outlet';
import type { Replay, ReplayHost } from './replay';
import { ReplayConnection } from './replay-connection';

/** A message as the client gets it. */
export interface Heard {
  readonly id?: unknown;
  readonly method?: string;
  readonly params?: { readonly [key: string]: unknown };
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
}

/** A replay of these frames to a client of a test's. */
export function replayOf(
  seeds: readonly FrameSeed[],
  options: Partial<Pick<Replay, 'pace' | 'onMiss'>> & Pick<ReplayHost, 'forward' | 'sampleOf'> = {},
) {
  const reader = new SessionReader();
  for (const frame of framesOf(seeds)) reader.push(frame);
  const session = reader.end();
  const { pace = 0, onMiss = 'error', forward, sampleOf } = options;
  const clock = new FakeClock();
  const texts: string[] = [];
  const notes: string[] = [];
  const hear = (text: string): void => void texts.push(text);
  const outlet: Outlet = { tell: hear, answer: hear, drop: () => hear('"dropped"') };
  const connection = new ReplayConnection(
    { session, book: new CallBook(session), pace, onMiss },
    {
      clock,
      side: { tell: hear, isHeard: true },
      note: (sentence) => notes.push(sentence),
      ...(forward && { forward }),
      ...(sampleOf && { sampleOf }),
    },
  );
  /** Everything since the last time. */
  const heard = async (): Promise<Heard[]> => {
    await new Promise((resolve) => setTimeout(resolve));
    return texts.splice(0).map((text) => JSON.parse(text) as Heard);
  };
  /** Sends it, a value or a text, and resolves with what was heard. */
  const say = (message: unknown): Promise<Heard[]> => {
    connection.receive(typeof message === 'string' ? message : JSON.stringify(message), outlet);
    return heard();
  };
  return { clock, connection, notes, texts, heard, say };
}

/** A request of the client's. */
export const ask = (id: unknown, method: string, params?: unknown) => ({ jsonrpc: '2.0', id, method, params });
