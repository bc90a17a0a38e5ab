import type { Readable, Writable } from 'node:stream';
import type { Outlet } from '@/lib/replay/outlet';
import type { Replay, ReplayHost } from '@/lib/replay/replay';
import { ReplayConnection } from '@/lib/replay/replay-connection';
import { LIMITS } from '@/lib/wire/limits';
import { LineSplitter } from '../transports/line-splitter';
import { ApartWriter } from './apart-writer';

/** Replays to the client at the other end of these streams: one message a line. Resolves when the client has closed its end and got the answers that it still waited for. */
export async function serveStdio(
  replay: Replay,
  host: Omit<ReplayHost, 'side'>,
  input: Readable,
  output: Writable,
): Promise<void> {
  const writer = new ApartWriter(host.clock, (text) => void output.write(`${text}\n`));
  const outlet: Outlet = {
    tell: (text) => writer.tell(text),
    answer: (text) => writer.answer(text),
    drop: () => {},
  };
  const connection = new ReplayConnection(replay, { ...host, side: { tell: outlet.tell, isHeard: true } });
  const read: string[] = [];
  const lines = new LineSplitter(LIMITS.frameBytes, (source, start, end, _flags, whole) => {
    const text = whole ? source.toString('utf8', start, end) : '';
    if (text.trim() !== '') read.push(text);
  });
  const gone = new Promise<void>((resolve) => void output.on('error', () => resolve()));
  connection.begin();
  for await (const chunk of input as AsyncIterable<Buffer>) {
    lines.push(chunk);
    for (const text of read.splice(0)) {
      connection.receive(text, outlet);
      // What need not wait is answered in the order in which it was asked.
      await new Promise((resolve) => setImmediate(resolve));
    }
  }
  let callOff = (): void => {};
  const tooLong = new Promise<void>((resolve) => {
    callOff = host.clock.after(LIMITS.replayFinishMs, resolve);
  });
  await Promise.race([connection.finish().then(() => writer.flushed()), gone, tooLong]);
  callOff();
  connection.end();
  writer.end();
}
