import { describe, expect, test } from 'vitest';
import { RecordedConnection } from '@/lib/hub/recorded-connection';
import { bringBack, fileOf, framesOf, logOf, out, type Said, said } from '@/lib/hub/test-recordings';
import { encodeFrame } from '@/lib/recording/encode-lines';
import { blobAccess } from '@/lib/recording/large/random-access';
import { encodeEvent } from '@/lib/recording/lifecycle-event';
import { RecordingReader } from '@/lib/recording/recording-reader';
import { appendNotes } from '@/lib/recording/recording-tail';
import { rowLabel, rowText } from '@/lib/store/rows/row-text';
import { type Frame, toChannel } from '@/lib/wire/frame';
import { readRecordingLink } from './open-link';
import type { ShareAnswer, ShareKind } from './share-job';
import { ShareJobRunner } from './share-job-runner';

const TOKEN = `ghp_${'aB3dE6gH9'.repeat(4)}`;

/** Frames of channels that nothing reads, whose content looks like everything that is read elsewhere. */
const OTHERS = ['app', 'model', 'otel', 'llm', '__proto__', 'constructor', 'com.example/x:1', '~'.repeat(64)].flatMap(
  (name): Said[] => {
    const channel = toChannel(name)!;
    return [
      said(channel, 'to-server', '{"jsonrpc":"2.0","id":1,"method":"tools/call","big":12345678901234567890}'),
      said(channel, 'to-client', '{"jsonrpc":"2.0","id":1,"result":{"tools":[{"name":"fake"}]}}'),
      said(channel, 'to-client', '{"event":"note","on":1,"text":"fake","bookmark":true}'),
      said(channel, 'to-client', `\u001b[31mred\u0007\u202e ${TOKEN}`),
      said(channel, 'to-client', Buffer.from([0xff, 0x0a, 0x00])),
      said(channel, 'to-client', ''),
    ];
  },
);
const FRAMES: readonly Said[] = [
  out({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: { token: TOKEN } }),
  ...OTHERS,
  { ...out({ jsonrpc: '2.0', id: 1, result: { tools: [] } }), direction: 'to-client' },
];

const facts = (frames: readonly Pick<Frame, 'channel' | 'direction' | 'flags' | 'bytes'>[]) =>
  frames.map(({ channel, direction, flags, bytes }) => [
    channel,
    direction,
    flags,
    Buffer.from(bytes).toString('latin1'),
  ]);

function readAll(file: Uint8Array) {
  const reader = new RecordingReader();
  return { frames: reader.readChunk(file), report: reader.finish(), header: reader.header! };
}

/** Opens the file as the hub does: `wholeBytes` 0 holds skims. */
async function open(bytes: Uint8Array<ArrayBuffer>, wholeBytes?: number): Promise<RecordedConnection> {
  return new Promise((resolve, reject) => {
    RecordedConnection.open('c1', new Blob([bytes]).stream(), {
      file: 'a',
      parts: async () => blobAccess(new Blob([bytes])),
      onGrown: () => {},
      onChanged: (connection) => connection.summary.recording?.report && resolve(connection),
      ...(wholeBytes !== undefined && { wholeBytes }),
    }).catch(reject);
  });
}

/** Shares frames as the page does. */
async function shareOf(frames: readonly Frame[], kind: ShareKind, more: object = {}, without: Frame['channel'][] = []) {
  const answers: ShareAnswer[] = [];
  const runner = new ShareJobRunner('9.9.9', (answer) => answers.push(answer));
  const about = { id: 'a-recording', at: '2026-01-01T00:00:00.000Z', name: 'demo', transport: 'stdio' } as const;
  await runner.run({ type: 'begin', about, salt: new Uint8Array(16) });
  await runner.run({ type: 'frames', frames });
  await runner.run({ type: 'review', ref: 1, selection: { without } });
  await runner.run({ type: 'make', ref: 2, kind, decisions: [], patterns: [], name: 'demo', ...more });
  const made = answers.at(-1)!;
  if (made.type !== 'made') throw new Error(JSON.stringify(made));
  return made;
}

async function contentOf(made: Awaited<ReturnType<typeof shareOf>>): Promise<Uint8Array> {
  return new Uint8Array(await new Response(made.content).arrayBuffer());
}

describe('frames of reserved and unknown channels', () => {
  const file = fileOf(FRAMES);

  test('survive file, hub and store byte for byte, held whole or as skims', async () => {
    expect(facts(readAll(file).frames).slice(1)).toEqual(facts(FRAMES));
    for (const wholeBytes of [undefined, 0]) {
      const connection = await open(file, wholeBytes);
      const log = await logOf(connection);
      await bringBack(log, connection);
      const frames = Array.from({ length: FRAMES.length }, (_, index) => log.frame(index + 1));
      expect(facts(frames)).toEqual(facts(FRAMES));
      await connection.log.close();
    }
  });

  test('are rows that name the channel, and nothing else is derived from them', async () => {
    const log = await logOf(await open(file));
    const rows = Array.from({ length: log.size }, (_, index) => log.row(index));
    const others = rows.filter(({ kind }) => kind === 'other');
    expect(others).toHaveLength(OTHERS.length);
    for (const row of others) {
      expect(row).toMatchObject({ method: undefined, peer: undefined, status: undefined, id: undefined });
      expect(rowLabel(row).what).toContain(row.channel);
    }
    expect(rowText(others[0]!)).toBe('app → host tools/call');
    expect(rowText(others[3]!)).not.toContain('\u001b');
    // The real response answers the real request, over all frames in between.
    expect(log.row(1)).toMatchObject({ method: 'tools/list', status: 'ok', peer: FRAMES.length + 1 });
    expect(log.notes.noteOn(1)).toBeUndefined();
  });

  test('stay in a file that gets notes', async () => {
    const note = encodeEvent({ event: 'note', on: 3, text: 'here', bookmark: true });
    const noted = { channel: 'lifecycle', direction: 'to-client', flags: 0, bytes: note } as const;
    const { frames, report } = readAll(
      new Uint8Array(await (await appendNotes(new Blob([file]).stream(), [noted])).arrayBuffer()),
    );
    expect(facts(frames).slice(1, -1)).toEqual(facts(FRAMES));
    expect(report).toMatchObject({ damaged: { count: 0 }, missing: 0 });
  });

  test.each(['jsonl', 'gz'] as const)('are in a copy as %s, without secrets', async (kind) => {
    const made = await shareOf(await framesOf(await open(file)), kind);
    expect(made.masked).toBe(OTHERS.length / 6 + 1);
    const bytes = await contentOf(made);
    const plain =
      kind === 'gz'
        ? await new Response(
            new Blob([bytes as Uint8Array<ArrayBuffer>]).stream().pipeThrough(new DecompressionStream('gzip')),
          ).arrayBuffer()
        : bytes;
    const { frames, report, header } = readAll(new Uint8Array(plain));
    expect(header.version).toBe(2);
    expect(report).toMatchObject({ complete: true, damaged: { count: 0 }, missing: 0 });
    const masked = facts(FRAMES).map(([channel, direction, flags, text]) => [
      channel,
      direction,
      flags,
      (text as string).replaceAll(TOKEN, '[]'),
    ]);
    expect(
      facts(frames)
        .slice(1)
        .map(([channel, direction, flags, text]) => [
          channel,
          direction,
          flags,
          (text as string).replace(/\[redacted:[a-z-]+:[0-9a-f]{8}\]/g, '[]'),
        ]),
    ).toEqual(masked);
  });

  test('are in a page, a link and a report, and not in an HTTP Archive', async () => {
    const frames = await framesOf(await open(file));
    const template = new Blob(['{{name}} {{recording}}']);
    expect((await contentOf(await shareOf(frames, 'html', { template }))).length).toBeGreaterThan(100);
    const link = await shareOf(frames, 'link', { page: 'https://example.com/' });
    const linked = readAll(await readRecordingLink((link.content as string).split('#recording=')[1]!));
    expect(linked.frames.map(({ channel }) => channel).slice(1)).toEqual(FRAMES.map(({ channel }) => channel));
    expect(Buffer.from(await contentOf(await shareOf(frames, 'markdown', { about: 2 }))).toString()).not.toContain(
      TOKEN,
    );
    await expect(shareOf(frames, 'har')).rejects.toThrow('nothing-over-http');
  });

  test('can be left out by name', async () => {
    const made = await shareOf(await framesOf(await open(file)), 'jsonl', {}, [toChannel('llm')!, 'otel']);
    const channels = new Set(readAll(await contentOf(made)).frames.map(({ channel }) => channel));
    expect([channels.has('otel'), channels.has(toChannel('llm')!), channels.has('model')]).toEqual([
      false,
      false,
      true,
    ]);
  });
});

test('ten thousand channels cost no more than their names', async () => {
  const frames = Array.from(
    { length: 10_000 },
    (_, number): Said => said(toChannel(`channel-${number}`)!, 'to-client', ''),
  );
  const connection = await open(fileOf(frames));
  expect(connection.log.bytes).toBeLessThan(200_000);
  const log = await logOf(connection);
  expect(log.row(9_999)).toMatchObject({ kind: 'other', channel: 'channel-9998' });
  expect(new Set(frames.map((_, index) => log.columns.channelNumber(index + 1))).size).toBe(10_000);
  const { frames: copied } = readAll(await contentOf(await shareOf(await framesOf(connection), 'jsonl')));
  expect(facts(copied).slice(1)).toEqual(facts(frames));
});

test('a copy of a file of version 1 has the current version', async () => {
  const bytes = Buffer.from('{}');
  const line = encodeFrame(1, { time: 0, channel: toChannel('llm')!, direction: 'to-client', flags: 0, bytes });
  const old = new Uint8Array(
    Buffer.concat([Buffer.from('{"mcpr":1,"id":"a-recording","at":"2026-01-01T00:00:00.000Z"}\n'), line]),
  );
  const { header, frames } = readAll(await contentOf(await shareOf(await framesOf(await open(old)), 'jsonl')));
  expect(header.version).toBe(2);
  expect(frames.map(({ channel }) => channel)).toEqual(['llm']);
});
