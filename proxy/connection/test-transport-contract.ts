import { afterEach, describe, expect, test } from 'vitest';
import { ConnectionError, type Transport } from '@/lib/transports/transport';
import { FLAG } from '@/lib/wire/frame';
import { RecordingSink } from './test-sink';

/**
 * The server's behaviour. `mirror` returns every message byte for byte. `print-and-exit` answers the first with the
 * lines `line 0` to `line 999` and exits. `stubborn` refuses to exit.
 */
type ContractServer = 'mirror' | 'print-and-exit' | 'stubborn';

/** Makes a transport to a fresh server, not opened yet. Its clock may run fast. */
type MakeServer = (server: ContractServer, sink: RecordingSink) => Transport;

/** How transports differ. */
interface Traits {
  /** Messages are lines of one stream: they keep their order, and raw bytes may stop within one. */
  readonly lines: boolean;
  /** Bytes that the server can't send back. */
  readonly cannotCarry?: RegExp;
  /** The transport notices the server's end by itself. */
  readonly noticesEnd: boolean;
}

/** Tests the contract between every transport and the connection that uses it. */
export function transportContract(name: string, makeServer: MakeServer, traits: Traits): void {
  const inOrder = <T>(seen: readonly T[]): T[] => (traits.lines ? [...seen] : seen.toSorted());

  describe(`${name} keeps the transport contract`, () => {
    const transports: Transport[] = [];
    afterEach(async () => {
      await Promise.all(transports.splice(0).map((transport) => transport.close()));
    });

    function make(server: ContractServer): { transport: Transport; sink: RecordingSink } {
      const sink = new RecordingSink();
      const transport = makeServer(server, sink);
      transports.push(transport);
      return { transport, sink };
    }

    async function opened(server: ContractServer): Promise<{ transport: Transport; sink: RecordingSink }> {
      const made = make(server);
      await made.transport.open();
      return made;
    }

    function failureOf(run: () => void): unknown {
      try {
        run();
      } catch (error) {
        return error;
      }
      return undefined;
    }

    test('messages arrive whole and in order, in both directions', async () => {
      const { transport, sink } = await opened('mirror');
      const sent = Array.from({ length: 1000 }, (_, id) => JSON.stringify({ jsonrpc: '2.0', id, method: 'x' }));
      const seqs = sent.map((text) => transport.send(text));
      await sink.until((seen) => seen.messages.length === sent.length);
      expect(sink.lines('protocol', 'to-server')).toEqual(sent);
      expect(sink.framesOf('protocol', 'to-server').map((frame) => frame.seq)).toEqual(seqs);
      expect(inOrder(sink.lines('protocol'))).toEqual(inOrder(sent));
      expect(inOrder(sink.messages)).toEqual(inOrder(sent));
    });

    test('raw bytes pass unchanged and are logged exactly: invalid UTF-8, NUL, BOM, separators, CR, no bytes', async () => {
      const { transport, sink } = await opened('mirror');
      const raws = [
        Buffer.from([0xff, 0xfe, 0xc3, 0x28, 0xed, 0xa0, 0x80]),
        Buffer.from('a\0b'),
        Buffer.from('\uFEFF{"jsonrpc":"2.0"}'),
        Buffer.from('a\u2028b\u2029c\u0085d'),
        Buffer.from('{}\r'),
        Buffer.from(''),
        Buffer.from('{"duplicate":1,"duplicate":12345678901234567890}'),
      ].filter((raw) => !traits.cannotCarry?.test(raw.toString('latin1')));
      for (const raw of raws) transport.sendRaw(raw, true);
      await sink.until((seen) => seen.framesOf('protocol').length === raws.length);
      const expected = raws.map((raw) => raw.toString('hex'));
      const hex = (frame: { bytes: Uint8Array }): string => Buffer.from(frame.bytes).toString('hex');
      expect(sink.framesOf('protocol', 'to-server').map(hex)).toEqual(expected);
      expect(inOrder(sink.framesOf('protocol').map(hex))).toEqual(inOrder(expected));
      expect(sink.frames.every((frame) => frame.flags === 0)).toBe(true);
    });

    test.runIf(traits.lines)(
      'raw bytes without their end are flagged, and the next ones finish the message',
      async () => {
        const { transport, sink } = await opened('mirror');
        transport.sendRaw(Buffer.from('first ha'), false);
        transport.sendRaw(Buffer.from('lf'), true);
        await sink.until((seen) => seen.framesOf('protocol').length === 1);
        expect(sink.framesOf('protocol', 'to-server').map((frame) => frame.flags)).toEqual([FLAG.unterminated, 0]);
        expect(sink.lines('protocol')).toEqual(['first half']);
      },
    );

    test('a message of 20 MB passes', async () => {
      const { transport, sink } = await opened('mirror');
      const text = JSON.stringify({ jsonrpc: '2.0', id: 1, result: 'ü'.repeat(10_000_000) });
      transport.send(text);
      await sink.until((seen) => seen.messages.length === 1);
      expect(sink.messages[0] === text).toBe(true);
      expect(Buffer.from(text).equals(sink.framesOf('protocol')[0]!.bytes)).toBe(true);
    });

    test('the engine gets each message that may concern it, after its frame; junk and log floods are frames only', async () => {
      const { transport, sink } = await opened('mirror');
      const answer = '{"id":1,"result":"\\u00e9"}';
      const all = ['hello', '{"jsonrpc":"2.0","method":"notifications/message","params":{"data":"an id"}}', '', '{'];
      const others = all.filter((text) => !traits.cannotCarry?.test(text));
      for (const text of [...others, answer]) transport.send(text);
      await sink.until((seen) => seen.messages.length > 0 && seen.framesOf('protocol').length > others.length);
      expect(inOrder(sink.lines('protocol'))).toEqual(inOrder([...others, answer]));
      expect(sink.messages).toEqual([answer]);
    });

    test('a message in invalid UTF-8 reaches the engine as text, and the log exactly', async () => {
      const { transport, sink } = await opened('mirror');
      const bytes = Buffer.concat([Buffer.from('{"id":1,"result":"'), Buffer.from([0xff]), Buffer.from('"}')]);
      transport.sendRaw(bytes, true);
      await sink.until((seen) => seen.messages.length === 1);
      expect(sink.messages).toEqual(['{"id":1,"result":"\uFFFD"}']);
      expect(bytes.equals(sink.framesOf('protocol')[0]!.bytes)).toBe(true);
    });

    test.runIf(traits.noticesEnd)(
      'if the server ends by itself, all its output comes before the one end, and then nothing can be sent',
      async () => {
        const { transport, sink } = await opened('print-and-exit');
        transport.send('go');
        let atEnd = -1;
        await sink.until((seen) => {
          if (seen.ends.length > 0 && atEnd === -1) atEnd = seen.frames.length;
          return seen.ends.length > 0;
        });
        expect(sink.lines('protocol')).toEqual(Array.from({ length: 1000 }, (_, index) => `line ${index}`));
        await transport.close();
        expect(sink.ends).toHaveLength(1);
        expect(sink.frames).toHaveLength(atEnd);
        const failure = failureOf(() => transport.send('too late'));
        expect(failure).toBeInstanceOf(ConnectionError);
        expect(failure).toMatchObject({ code: 'not-connected' });
        expect(failureOf(() => transport.sendRaw(Buffer.from('x'), true))).toMatchObject({ code: 'not-connected' });
        expect(sink.frames).toHaveLength(atEnd);
      },
    );

    test('nothing can be sent before open, and open after close starts nothing', async () => {
      const { transport, sink } = make('mirror');
      expect(failureOf(() => transport.send('too early'))).toMatchObject({ code: 'not-connected' });
      await transport.close();
      await expect(transport.open()).rejects.toMatchObject({ code: 'not-connected' });
      expect(sink.frames).toEqual([]);
      expect(sink.ends).toEqual([]);
    });

    test('close ends a server that refuses to exit, resolves after the end, and may be called again', async () => {
      const { transport, sink } = await opened('stubborn');
      const closings = [transport.close(), transport.close()];
      expect(failureOf(() => transport.send('x'))).toMatchObject({ code: 'not-connected' });
      await Promise.race(closings);
      expect(sink.ends).toHaveLength(1);
      await Promise.all([...closings, transport.close()]);
      expect(sink.ends).toHaveLength(1);
    });
  });
}
