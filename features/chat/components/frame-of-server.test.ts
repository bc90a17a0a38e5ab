import { expect, test } from 'vitest';
import type { ConnectionSummary } from '@/lib/wire/command';
import { recordedAs } from './frame-of-server';

const opened = (id: string, file: string, header?: string): ConnectionSummary => ({
  id,
  name: id,
  transport: 'stdio',
  title: '',
  state: 'closed',
  startedAt: '',
  recording: { file, by: '', ...(header !== undefined && { id: header }) },
});
const live: ConnectionSummary = { ...opened('c1', ''), recording: undefined };

test('a recorded chat finds the recording of a server by its file, or by the id in its header', () => {
  const connections = [live, opened('c2', 'chat.mcpr.jsonl', 'a'), opened('c3', 'demo.mcpr.jsonl', 'b')];
  const frame = { connection: 'c1', seq: 7 };
  expect(recordedAs(connections, { ...frame, recording: 'demo.mcpr.jsonl' })).toBe('c3');
  expect(recordedAs(connections, { ...frame, connection: 'b' })).toBe('c3');
});

test('a connection of today with the number of a recorded one is not taken for it', () => {
  expect(recordedAs([live], { connection: 'c1', seq: 7, recording: 'demo.mcpr.jsonl' })).toBeUndefined();
  expect(recordedAs([opened('c1', 'x')], { connection: 'c1', seq: 7 })).toBeUndefined();
});
