import { describe, expect, test, vi } from 'vitest';
import { FrameLog } from '@/lib/hub/frame-log';
import { BATCH_BYTES } from '@/lib/hub/viewer';
import { SealedBox } from './browser-databases';
import { LogKeeper } from './log-keeper';
import { TestLogDatabase } from './test-databases';

const box = (fill = 1) => SealedBox.open(Buffer.alloc(32, fill).toString('base64'));

function append(log: FrameLog, text: string): void {
  const bytes = Buffer.from(text);
  log.append('protocol', 'to-client', 0, 7, bytes, 0, bytes.length);
}

async function setUp() {
  const store = new TestLogDatabase();
  const onFull = vi.fn();
  const keeper = new LogKeeper('tab', store, await box(), onFull);
  const log = new FrameLog();
  keeper.add('d1', log);
  const restored = async (fill = 1, tab = 'tab') => {
    const logs = await new LogKeeper(tab, store, await box(fill), () => {}).restore();
    return logs.map(({ connection, frames }) => [
      connection,
      ...frames.map(({ bytes }) => Buffer.from(bytes).toString()),
    ]);
  };
  return { store, onFull, keeper, log, restored };
}

describe('a log', () => {
  test('comes back whole and in order, with a frame larger than a batch', async () => {
    const { keeper, log, restored, store } = await setUp();
    const big = 'x'.repeat(BATCH_BYTES * 2 + 5);
    for (const text of ['one', big, 'three']) {
      append(log, text);
      keeper.logGrew('d1');
    }
    await vi.waitFor(async () => expect(await restored()).toEqual([['d1', 'one', big, 'three']]));
    expect(store.pieces.length).toBeGreaterThan(3);
  });

  test('is written in few pieces in a flood', async () => {
    const { keeper, log, store, restored } = await setUp();
    for (let at = 0; at < 5000; at++) {
      append(log, String(at));
      keeper.logGrew('d1');
    }
    await vi.waitFor(async () => expect((await restored())[0]?.length).toBe(5001));
    expect(store.pieces.length).toBeLessThan(20);
  });

  test('is unreadable to another tab and with another key', async () => {
    const { keeper, log, store, restored } = await setUp();
    append(log, 'one');
    keeper.logGrew('d1');
    await vi.waitFor(() => expect(store.pieces).toHaveLength(1));
    expect(await restored(1, 'other')).toEqual([]);
    expect(await restored(2)).toEqual([['d1']]);
  });

  test('ends before a missing piece', async () => {
    const { keeper, log, store, restored } = await setUp();
    for (const text of ['one', 'two', 'three']) {
      append(log, text);
      keeper.logGrew('d1');
      const count = store.pieces.length;
      await vi.waitFor(() => expect(store.pieces.length).toBe(count + 1));
    }
    store.pieces.splice(1, 1);
    expect(await restored()).toEqual([['d1', 'one']]);
  });

  test('reports once that the disk refuses', async () => {
    const { keeper, log, store, onFull } = await setUp();
    store.full = true;
    append(log, 'one');
    keeper.logGrew('d1');
    await vi.waitFor(() => expect(onFull).toHaveBeenCalledWith('d1'));
    append(log, 'two');
    keeper.logGrew('d1');
    await new Promise((resolve) => setImmediate(resolve));
    expect(onFull).toHaveBeenCalledTimes(1);
  });

  test('leaves nothing when it is forgotten', async () => {
    const { keeper, log, store, restored } = await setUp();
    append(log, 'one');
    keeper.logGrew('d1');
    await vi.waitFor(() => expect(store.pieces).toHaveLength(1));
    await keeper.forget('d1');
    expect(await restored()).toEqual([]);
  });

  test('leaves nothing when it is forgotten during a write', async () => {
    const { keeper, log, restored } = await setUp();
    append(log, 'one');
    keeper.logGrew('d1');
    const put = vi.spyOn(TestLogDatabase.prototype, 'put');
    await keeper.forget('d1');
    expect(put).toHaveBeenCalledTimes(1);
    put.mockRestore();
    expect(await restored()).toEqual([]);
  });
});
