import { PassThrough } from 'node:stream';
import type { Replay } from '@/lib/replay/server/replay';
import type { Clock } from '@/lib/wire/clock';
import { serveStdio } from './stdio-server';

/**
 * Connects an official client to a replay on stdio in this process. Like their own transport, it passes on the lines
 * of one chunk without a pause.
 */
export function stdioTransport(replay: Replay, clock: Clock, printNote: (line: string) => void) {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const transport = {
    onmessage: undefined as ((message: never) => void) | undefined,
    onclose: undefined as (() => void) | undefined,
    async start() {
      void serveStdio(replay, { clock, printNote }, input, output);
      let rest = '';
      output.setEncoding('utf8').on('data', (text: string) => {
        const lines = (rest + text).split('\n');
        rest = lines.pop()!;
        for (const line of lines) transport.onmessage?.(JSON.parse(line) as never);
      });
    },
    async send(message: unknown) {
      input.write(`${JSON.stringify(message)}\n`);
    },
    async close() {
      input.end();
      transport.onclose?.();
    },
  };
  return transport;
}
