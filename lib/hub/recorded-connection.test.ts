import { describe, expect, test } from 'vitest';
import { encodeFrame, encodeHeaderOrEnd, type FrameToRecord } from '@/lib/recording/encode-lines';
import { TEST_HEADER } from '@/lib/recording/test-header';
import { Log } from '@/lib/store/log';
import { BatchReader } from '@/lib/wire/batch';
import type { LifecycleEvent } from '@/lib/wire/lifecycle';
import { RecordedConnection, type RecordedDeps } from './recorded-connection';
import { cutBatch } from './viewer';

const HEADER = encodeHeaderOrEnd(TEST_HEADER);
const START: LifecycleEvent = {
  event: 'start',
  at: '2026-01-01T00:00:00.000Z',
  name: 'demo',
  transport: 'stdio',
  command: 'node',
  args: ['server.js'],
  cwd: '/',
  environment: { policy: 'shell', inherited: [], added: [] },
  protocol: 'auto',
};
const OPEN: LifecycleEvent = { event: 'open', era: 'legacy', version: '2025-06-18' };

function lines(...events: readonly (LifecycleEvent | Record<string, unknown>)[]): Uint8Array[] {
  return events.map((event, index) =>
    encodeFrame(index + 1, {
      time: index,
      channel: 'event' in event ? 'lifecycle' : 'protocol',
      direction: 'method' in event ? 'to-server' : 'to-client',
      flags: 0,
      bytes: Buffer.from(JSON.stringify(event)),
    }),
  );
}

function open(...pieces: readonly Uint8Array[]) {
  return openWith({}, ...pieces);
}

async function openWith(deps: Pick<RecordedDeps, 'add'>, ...pieces: readonly Uint8Array[]) {
  let read = () => {};
  const whole = new Promise<void>((resolve) => {
    read = resolve;
  });
  const connection = await RecordedConnection.open(
    'c1',
    new Blob(pieces.map((piece) => new Uint8Array(piece))).stream(),
    {
      ...deps,
      file: 'a.mcpr.jsonl',
      onGrown: () => {},
      onChanged: ({ summary }) => summary.recording?.report && read(),
    },
  );
  await whole;
  return connection;
}

/** The page's log of a connection. */
async function logOf(connection: RecordedConnection): Promise<Log> {
  const log = new Log('c1');
  const reader = new BatchReader();
  const cursor = { next: 1, offset: 0 };
  for (
    let batch = await cutBatch('c1', connection.log, cursor);
    batch;
    batch = await cutBatch('c1', connection.log, cursor)
  ) {
    log.append(reader.read(batch.buffer).frames);
  }
  return log;
}

describe('an opened recording', () => {
  test('is an ended connection, with facts about the file', async () => {
    const { summary } = await open(HEADER, ...lines(START, OPEN, { event: 'closed' }));
    expect(summary).toMatchObject({
      id: 'c1',
      name: 'demo',
      transport: 'stdio',
      title: 'node server.js',
      state: 'closed',
      startedAt: '2026-01-01T00:00:00.000Z',
      era: 'legacy',
      version: '2025-06-18',
      recording: { file: 'a.mcpr.jsonl', by: 'mcp-inspect/0.0.0-test', report: { frames: 3, complete: false } },
    });
  });

  test('has the server’s own name and the name that a person gave it', async () => {
    const asked = { jsonrpc: '2.0', id: 1, method: 'initialize' };
    const initialize = { jsonrpc: '2.0', id: 1, result: { serverInfo: { name: 'everything', version: '1' } } };
    const other = { jsonrpc: '2.0', id: 2, result: { serverInfo: { name: 'somebody else' } } };
    const about: LifecycleEvent = { event: 'about', name: 'Closed shop', text: '' };
    const { summary } = await open(
      HEADER,
      ...lines(START, asked, other, initialize, OPEN, other, { event: 'closed' }, about),
    );
    expect(summary).toMatchObject({ name: 'demo', serverName: 'everything', recording: { called: 'Closed shop' } });
  });

  test('gets an end if it has none, so that nothing waits forever', async () => {
    const connection = await open(HEADER, ...lines(START, OPEN, { jsonrpc: '2.0', id: 1, method: 'ping' }));
    const log = await logOf(connection);
    expect(log.state.connection.state).toBe('closed');
    expect(log.exchange(3)?.status).toBe('lost');
  });

  test('shows malformed events as rows and nothing more', async () => {
    const connection = await open(
      HEADER,
      ...lines({ event: 'start', args: 7 }, { event: 'open', era: {} }, { event: 'failed' }, { event: 'constructor' }),
    );
    expect(connection.summary).toMatchObject({ name: 'demo', title: '', state: 'closed' });
    const log = await logOf(connection);
    expect(log.state.connection).not.toHaveProperty('start');
    expect(log.state.connection.state).toBe('closed');
    for (let index = 0; index < log.size; index++) expect(log.row(index).name).toEqual(expect.any(String));
  });

  test('stops reading when it is closed', async () => {
    let cancelled = () => {};
    const over = new Promise<void>((resolve) => {
      cancelled = resolve;
    });
    const endless = new ReadableStream<Uint8Array<ArrayBuffer>>({
      start: (controller) => controller.enqueue(new Uint8Array(Buffer.concat([HEADER, ...lines(START)]))),
      pull: (controller) => controller.enqueue(new TextEncoder().encode('{"k":"later"}\n')),
      cancel: () => cancelled(),
    });
    const connection = await RecordedConnection.open('c1', endless, {
      file: 'a',
      onGrown: () => {},
      onChanged: () => {},
    });
    await connection.stopBackgroundWork();
    await over;
    expect(connection.summary.recording?.report).toBeUndefined();
  });

  test.each([
    ['another file', [Buffer.from('hello\n')], 'not-a-recording'],
    ['an empty recording', [HEADER], 'recording-empty'],
  ])('refuses %s', async (_what, pieces, code) => {
    await expect(open(...pieces)).rejects.toMatchObject({ code });
  });
});

describe('notes', () => {
  const PING = { jsonrpc: '2.0', id: 1, method: 'ping' };
  const note = (on: number, text: string) => ({ event: 'note', on, text, bookmark: false }) as const;
  const parse = (bytes: Uint8Array) => JSON.parse(new TextDecoder().decode(bytes));

  test('are in the log, and in the file under the file’s frame numbers', async () => {
    const all = lines(START, OPEN, PING, note(3, 'in the file'), { event: 'closed' });
    const added: FrameToRecord[] = [];
    // The line of frame 2 is missing.
    const connection = await openWith(
      { add: async (frame) => void added.push(frame) },
      HEADER,
      all[0]!,
      ...all.slice(2),
    );
    expect((await logOf(connection)).notes.noteOn(3)?.text).toBe('in the file');
    await connection.annotate({ on: 3, text: 'newer', bookmark: true });
    await connection.annotate({ on: 2, text: 'what was here?', bookmark: false });
    expect(added.map(({ bytes }) => parse(bytes))).toEqual([
      { event: 'note', on: 3, text: 'newer', bookmark: true },
      { event: 'note', on: 2, text: 'what was here?', bookmark: false },
    ]);
    const log = await logOf(connection);
    expect(log.notes.noteOn(3)).toEqual({ text: 'newer', bookmark: true });
    expect(log.row(1)).toMatchObject({ kind: 'lifecycle', name: '1 frame is missing here.' });
    expect(log.row(2)).toMatchObject({ kind: 'request', method: 'ping' });
    expect(connection.summary.recording?.unsaved).toBeUndefined();
    await expect(connection.annotate({ on: 99, text: 'x', bookmark: false })).rejects.toMatchObject({
      code: 'no-frame',
    });
  });

  test('use the file’s numbers where missing frames have shifted them', async () => {
    const leaps = [1, 900_001, 900_002, 900_003].map((n, index) =>
      encodeFrame(n, {
        time: 0,
        channel: 'lifecycle',
        direction: 'to-client',
        flags: 0,
        bytes: Buffer.from(JSON.stringify([START, OPEN, note(900_001, 'in the file'), { event: 'closed' }][index])),
      }),
    );
    const added: FrameToRecord[] = [];
    const connection = await openWith({ add: async (frame) => void added.push(frame) }, HEADER, ...leaps);
    expect(connection.log.last).toBe(5);
    expect((await logOf(connection)).notes.noteOn(3)?.text).toBe('in the file');
    await connection.annotate({ on: 3, text: 'newer', bookmark: true });
    expect(parse(added[0]!.bytes)).toMatchObject({ on: 900_001 });
    expect(connection.summary.recording?.report).toMatchObject({ renumberedFrom: 3 });
  });

  test('stay in the log if the file cannot be written, and the summary says so', async () => {
    const connection = await open(HEADER, ...lines(START, { event: 'closed' }));
    await connection.annotate({ on: 1, text: 'x', bookmark: false });
    expect((await logOf(connection)).notes.noteOn(1)?.text).toBe('x');
    expect(connection.summary.recording?.unsaved).toContain('Share saves a file with them');
  });

  test('are refused for frames that are not in the file', async () => {
    const connection = await open(HEADER, ...lines(START));
    // The end that the reader added.
    expect(connection.log.last).toBe(2);
    await expect(connection.annotate({ on: 2, text: 'x', bookmark: false })).rejects.toMatchObject({
      code: 'no-frame',
    });
  });
});

describe('a file that takes long to read', () => {
  const piece = Buffer.concat(lines(START, OPEN, { event: 'closed' }));

  /** A source that gives one piece each time the test asks for it. */
  function slowSource() {
    let controller!: ReadableStreamDefaultController<Uint8Array<ArrayBuffer>>;
    let closed = false;
    const stream = new ReadableStream<Uint8Array<ArrayBuffer>>({
      start(made) {
        controller = made;
      },
      cancel() {
        closed = true;
      },
    });
    return {
      stream,
      give: (bytes: Uint8Array) => controller.enqueue(new Uint8Array(bytes)),
      end: () => controller.close(),
      isClosed: () => closed,
    };
  }

  test('reports how far it is read: while it is opened, then in its summary', async () => {
    const { stream, give, end } = slowSource();
    const opening: unknown[] = [];
    const reading: unknown[] = [];
    const length = HEADER.length + piece.length;
    const opened = RecordedConnection.open('c1', stream, {
      file: 'a.mcpr.jsonl',
      length,
      onOpening: (progress) => opening.push(progress),
      onGrown: () => {},
      onChanged: ({ summary }) => reading.push(summary.recording?.reading),
    });
    give(HEADER);
    await expect.poll(() => opening).toEqual([{ done: HEADER.length, of: length }]);
    give(piece);
    const connection = await opened;
    expect(connection.summary.recording?.reading).toMatchObject({ of: length });
    end();
    await expect.poll(() => connection.summary.recording?.report?.frames).toBe(3);
    expect(connection.summary.recording?.reading).toBeUndefined();
    expect(opening).toHaveLength(1);
  });

  test('can be cancelled before its first frame', async () => {
    const { stream, give, isClosed } = slowSource();
    const stop = new AbortController();
    const opened = RecordedConnection.open('c1', stream, {
      file: 'a.mcpr.jsonl',
      signal: stop.signal,
      onGrown: () => {},
      onChanged: () => {},
    });
    give(HEADER);
    stop.abort();
    await expect(opened).rejects.toMatchObject({ code: 'cancelled' });
    await expect.poll(isClosed).toBe(true);
  });
});
