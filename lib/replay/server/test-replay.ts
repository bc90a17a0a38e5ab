import { type FrameSeed, framesOf } from '@/lib/store/test-frames';
import { FakeClock } from '@/lib/wire/test-clock';
import { TrafficReader } from '../traffic/traffic-reader';
import { CallIndex } from './call-index';
import type { ResponseSink } from './messages-to-client';
import type { Replay, ReplayHost } from './replay';
import { ReplayConnection } from './replay-connection';

/** A message as the client gets it. */
export interface ReceivedMessage {
  readonly id?: unknown;
  readonly method?: string;
  readonly params?: { readonly [key: string]: unknown };
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
}

/** Replays these frames to a test’s client. */
export function replayOf(
  seeds: readonly FrameSeed[],
  options: Partial<Pick<Replay, 'pace' | 'onMiss'>> & Pick<ReplayHost, 'forward' | 'sampleOf'> = {},
) {
  const reader = new TrafficReader();
  for (const frame of framesOf(seeds)) reader.addFrame(frame);
  const traffic = reader.traffic();
  const { pace = 0, onMiss = 'error', forward, sampleOf } = options;
  const clock = new FakeClock();
  const texts: string[] = [];
  const notes: string[] = [];
  const hear = (text: string): void => void texts.push(text);
  const outlet: ResponseSink = { sendMessage: hear, sendAnswer: hear, dropAnswer: () => hear('"dropped"') };
  const connection = new ReplayConnection(
    { traffic, calls: new CallIndex(traffic), pace, onMiss },
    {
      clock,
      side: { sendMessage: hear, isOpen: true },
      printNote: (sentence) => notes.push(sentence),
      ...(forward && { forward }),
      ...(sampleOf && { sampleOf }),
    },
  );
  /** Returns everything since the last time. */
  const heard = async (): Promise<ReceivedMessage[]> => {
    await new Promise((resolve) => setTimeout(resolve));
    return texts.splice(0).map((text) => JSON.parse(text) as ReceivedMessage);
  };
  /** Sends a value or a text, and resolves with what the client receives. */
  const say = (message: unknown): Promise<ReceivedMessage[]> => {
    connection.receive(typeof message === 'string' ? message : JSON.stringify(message), outlet);
    return heard();
  };
  return { clock, connection, notes, texts, heard, say };
}

/** A client request. */
export const ask = (id: unknown, method: string, params?: unknown) => ({ jsonrpc: '2.0', id, method, params });
