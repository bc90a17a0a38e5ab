import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { RecordingReader } from '@/lib/recording/recording-reader';
import { ConnectionError, type Transport } from '@/lib/transports/transport';
import { systemClock } from '@/lib/wire/clock';
import { FakeClock } from '@/lib/wire/test-clock';
import { ServerConnection } from '@/proxy/commands/headless/server-connection';
import { isBeingRecorded } from '@/proxy/recorder/in-use';
import { KeptRecordings } from '../recorder/kept-recordings';
import { Recorder } from '../recorder/recorder';
import { ProxyHub } from './hub';
import { resolveLaunch } from './launch';

const AT = '2026-01-01T00:00:00.000Z';
const LATE_MS = 250;

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'mcp-inspect-test-'));
  vi.useFakeTimers({ toFake: ['Date'], now: Date.parse(AT) });
});
afterEach(() => {
  vi.useRealTimers();
  rmSync(folder, { recursive: true });
});

/** A server that takes a while to open, on both clocks. */
function slow(clock: FakeClock): () => Transport {
  return () => {
    clock.advance(LATE_MS);
    vi.setSystemTime(Date.now() + LATE_MS);
    return { open: async () => {}, send: () => 1, sendRaw: () => 1, close: async () => {} };
  };
}

const launch = resolveLaunch({ transport: 'stdio', command: 'x', args: [] }, '2025-11-25', []);

test('times count from the connection’s start in the file and in the shared log, however slowly the file was made', async () => {
  const clock = new FakeClock();
  const recorder = new Recorder({ clock, version: '0.0.0-test', folder });
  const lookFurther = async () => {};
  const hub = new ProxyHub({
    clock,
    version: '0.0.0-test',
    presets: [],
    recorder,
    openTransport: slow(clock),
    lookFurther,
  });
  const { id, log } = hub.start(launch);
  await expect.poll(() => log.last).toBeGreaterThan(0);
  // A recording is written after everything that the same input caused.
  await new Promise(setImmediate);
  const reader = new RecordingReader();
  const [start] = reader.readChunk(readFileSync(join(folder, readdirSync(folder)[0]!)));
  expect(reader.header?.at).toBe(AT);
  expect(start!.time).toBe(LATE_MS * 1000);
  expect(JSON.parse(Buffer.from(start!.bytes).toString())).toMatchObject({ event: 'start', at: AT });
  const shared = new RecordingReader();
  for await (const chunk of hub.redactedLog(id, 1)) shared.readChunk(chunk);
  expect(shared.header?.at).toBe(AT);
});

test('the recording of a failed connection has its end, followed by later notes and probes', async () => {
  const recorder = new Recorder({ clock: systemClock, version: '0.0.0-test', folder });
  const refused = new ConnectionError({ code: 'refused', message: 'x', advice: 'y' });
  const openTransport = () => ({ ...slow(new FakeClock())(), open: () => Promise.reject(refused) });
  const lookFurther = async () => {};
  const hub = new ProxyHub({
    clock: systemClock,
    version: '0.0.0-test',
    presets: [],
    recorder,
    openTransport,
    lookFurther,
  });
  const target = { transport: 'http', url: 'http://127.0.0.1:1/' } as const;
  const connection = hub.start(resolveLaunch(target, '2025-11-25', []));
  const [name] = readdirSync(folder);
  const path = join(folder, name!);
  const lastLine = () => readFileSync(path, 'utf8').trimEnd().split('\n').at(-1);
  await expect.poll(() => connection.summary.state).toBe('failed');
  await expect.poll(lastLine).toContain('"k":"end"');
  expect(isBeingRecorded(path)).toBe(false);
  await new KeptRecordings(folder).describe(name!, { name: 'mine', text: '' });
  await connection.lookFurther('paths');
  await hub.forget(connection);
  const reader = new RecordingReader();
  const texts = reader.readChunk(readFileSync(path)).map(({ bytes }) => Buffer.from(bytes).toString());
  expect(texts.join()).toMatch(/"failed".*"about".*"look-further"/);
  expect(reader.finish()).toMatchObject({ complete: true, damaged: { count: 0 } });
});

test('a subcommand’s connection begins at the given moment', async () => {
  const clock = new FakeClock();
  const began = { at: AT, now: clock.now() };
  clock.advance(10);
  const frames: [number, string][] = [];
  const session = new ServerConnection(launch, {
    clock,
    began,
    version: '0.0.0-test',
    openTransport: slow(clock),
    lookFurther: async () => {},
    append: (_channel, _direction, _flags, time, source, start, end) =>
      frames.push([time, Buffer.from(source.subarray(start, end)).toString()]),
  });
  void session.open().catch(() => {});
  await expect.poll(() => frames.length).toBeGreaterThan(0);
  expect(frames[0]![0]).toBe((10 + LATE_MS) * 1000);
  expect(JSON.parse(frames[0]![1])).toMatchObject({ event: 'start', at: AT });
});
