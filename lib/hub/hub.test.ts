import { beforeEach, describe, expect, test } from 'vitest';
import { encodeFrame, encodeHeaderOrEnd } from '@/lib/recording/encode-lines';
import { RecordingReader } from '@/lib/recording/recording-reader';
import { TEST_HEADER } from '@/lib/recording/test-header';
import { systemClock } from '@/lib/wire/clock';
import type { Command, Event } from '@/lib/wire/command';
import { Hub } from './hub';

class RecordingsHub extends Hub<never> {
  readonly events: Event[] = [];
  readonly viewer = this.addViewer({
    isOpen: true,
    bufferedAmount: 0,
    sendEvent: (event) => this.events.push(event),
    sendBatch: (_batch, taken) => taken(),
    terminate: () => {},
  });

  constructor() {
    super({ clock: systemClock, version: '0', idPrefix: 'd', graceMs: 0 });
  }

  /** Runs a command and returns its answer. */
  async ask(command: Record<string, unknown>): Promise<Event | undefined> {
    const ref = `r${this.events.length}`;
    await this.runCommand(this.viewer, { ...command, ref } as unknown as Command);
    return this.events.find((event) => 'ref' in event && event.ref === ref);
  }
}

describe('a hub with a recording', () => {
  const released: string[] = [];
  let hub: RecordingsHub;
  beforeEach(async () => {
    released.length = 0;
    hub = new RecordingsHub();
    const bytes = Buffer.from('{"event":"closed"}');
    const frame = { time: 0, channel: 'lifecycle', direction: 'to-client', flags: 0, bytes } as const;
    const lines = [encodeHeaderOrEnd(TEST_HEADER), encodeFrame(1, frame)];
    await hub.openRecording({
      file: 'a.mcpr.jsonl',
      bytes: () => new Blob(lines as Uint8Array<ArrayBuffer>[]).stream() as ReadableStream<Uint8Array<ArrayBuffer>>,
      reader: () => new RecordingReader(),
      hold: () => () => released.push('a.mcpr.jsonl'),
    });
  });

  test('refuses every command that needs a server with the same failure', async () => {
    const connection = 'd1';
    const commands = [
      { type: 'request', connection, method: 'ping' },
      { type: 'notify', connection, method: 'notifications/x' },
      { type: 'send-raw', connection, text: '{}', terminate: true },
      { type: 'cancel', connection, id: 1 },
      { type: 'answer', connection, id: 1, answer: { result: '{}' } },
      { type: 'set-roots', connection, roots: [] },
      { type: 'retry', connection },
      { type: 'look-further', connection, where: 'paths' },
      { type: 'cancel-sign-in', connection },
      { type: 'sign-out', connection },
      { type: 'auth-step', connection, step: 'refresh' },
      { type: 'restart', connection },
    ];
    for (const command of commands) {
      expect(await hub.ask(command), command.type).toMatchObject({ type: 'error', code: 'is-recording' });
    }
    expect(await hub.ask({ type: 'reveal', connection, seq: 1, field: 0 })).toMatchObject({ code: 'not-kept' });
  });

  test('closes and forgets the recording, and releases its file', async () => {
    expect(await hub.ask({ type: 'close', connection: 'd1' })).toMatchObject({ type: 'done', connection: 'd1' });
    expect(released).toEqual([]);
    expect(await hub.ask({ type: 'forget', connection: 'd1' })).toMatchObject({ type: 'done', connection: 'd1' });
    expect(released).toEqual(['a.mcpr.jsonl']);
    expect(hub.connections()).toEqual([]);
    expect(hub.events).toContainEqual({ type: 'forgotten', connection: 'd1' });
    expect(await hub.ask({ type: 'close', connection: 'd1' })).toMatchObject({ code: 'no-connection' });
  });

  test('cannot connect or record', async () => {
    const target = { transport: 'http', url: 'http://127.0.0.1:1/mcp' };
    expect(await hub.ask({ type: 'connect', target, protocol: 'auto' })).toMatchObject({ code: 'only-to-read' });
    const record = { type: 'record', connection: 'd1', key: 'abcdefgh', begin: true };
    expect(await hub.ask(record)).toMatchObject({ code: 'no-recorder' });
  });
});
