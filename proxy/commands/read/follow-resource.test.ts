import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { EXIT } from '@/proxy/cli/exit-code';
import type { ConnectedServer } from '../headless/on-server';
import { followAction } from './follow-resource';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const UPDATE = new TextEncoder().encode(
  '{"jsonrpc":"2.0","method":"notifications/resources/updated","params":{"uri":"a:1"}}',
);

test('a resource that every read changes is not read without end', async () => {
  let reads = 0;
  const status = { show: () => {}, end: () => {} };
  const connection = { requestSeq: () => new Promise(() => {}), untilStopped: () => new Promise(() => {}) };
  const server = { negotiated: { era: 'modern' }, connection, out: { status, printNote: () => {} } };
  const action = followAction('a:1', async () => {
    reads++;
    action.connect!.onFrame!({
      seq: reads,
      time: 0,
      flags: 0,
      channel: 'protocol',
      direction: 'to-client',
      bytes: UPDATE,
    });
    if (reads === 50) action.connect!.interrupt!();
    return 0;
  });
  const ended = action(server as unknown as ConnectedServer);
  await vi.advanceTimersByTimeAsync(1600);
  expect(reads).toBe(4);
  action.connect!.interrupt!();
  expect(await ended).toBe(EXIT.interrupted);
});
