/**
 * Judges a session of 100,000 frames, a fifth of them calls, for every host. The baseline, in the same run, is making
 * the log from its frames, which is a part of opening a recording. It fails if judging takes longer, or if judging
 * again after one more call takes more than a tenth of it.
 */

import { JUDGED_HOSTS } from '@/features/hosts/lib/hosts';
import { judgeHosts } from '@/features/hosts/lib/judge-hosts';
import { Log } from '@/lib/store/log';
import type { Frame } from '@/lib/wire/frame';

const FRAMES = 100_000;
const ROUNDS = 5;
const hosts = JUDGED_HOSTS.map(({ id }) => id);
const encoder = new TextEncoder();

function message(seq: number, direction: Frame['direction'], content: object): Frame {
  const bytes = encoder.encode(JSON.stringify({ jsonrpc: '2.0', ...content }));
  return { seq, time: seq * 1000, channel: 'protocol', direction, flags: 0, bytes };
}

const tools = Array.from({ length: 40 }, (_, at) => ({
  name: `tool_${at}`,
  description: 'Does something with a text.',
  inputSchema: { type: 'object', properties: { text: { type: 'string' }, list: { type: 'array', items: {} } } },
}));
const text = 'word '.repeat(400);

function* session(): Generator<Frame> {
  let seq = 0;
  const start = {
    event: 'start',
    at: 0,
    name: 'bench',
    transport: 'stdio',
    protocol: '2025-11-25',
    command: 'x',
    args: [],
  };
  const bytes = encoder.encode(JSON.stringify(start));
  yield { seq: ++seq, time: 0, channel: 'lifecycle', direction: 'to-client', flags: 0, bytes };
  const info = { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: { name: 'b', version: '1' } };
  yield message(++seq, 'to-server', { id: 1, method: 'initialize', params: info });
  yield message(++seq, 'to-client', { id: 1, result: info });
  yield message(++seq, 'to-server', { id: 2, method: 'tools/list' });
  yield message(++seq, 'to-client', { id: 2, result: { tools } });
  for (let id = 3; seq < FRAMES; id++) {
    yield message(++seq, 'to-server', { id, method: 'tools/call', params: { name: `tool_${id % 40}`, arguments: {} } });
    const params = { level: 'info', data: text };
    for (let note = 0; note < 3; note++) yield message(++seq, 'to-client', { method: 'notifications/message', params });
    yield message(++seq, 'to-client', { id, result: { content: [{ type: 'text', text }] } });
  }
}

const frames = [...session()];
const clock = (work: () => void): number => {
  const began = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(began);
  return (user + system) / 1000;
};
const median = (values: readonly number[]): number => [...values].sort((a, b) => a - b)[values.length >> 1]!;

const [made, judged, again]: number[][] = [[], [], []];
for (let round = 0; round < ROUNDS; round++) {
  const log = new Log('bench');
  made!.push(clock(() => log.append(frames)));
  judged!.push(clock(() => void judgeHosts(log, hosts, new Date())));
  const id = `again-${round}`;
  log.append([
    message(log.size + 1, 'to-server', { id, method: 'tools/call', params: { name: 'tool_1', arguments: {} } }),
    message(log.size + 2, 'to-client', { id, result: { content: [] } }),
  ]);
  again!.push(clock(() => void judgeHosts(log, hosts, new Date())));
}
const [make, judge, next] = [made!, judged!, again!].map(median) as [number, number, number];
const ms = (value: number): string => `${value.toFixed(1)} ms`;
console.log(`the log of ${FRAMES} frames        ${ms(make)} of CPU`);
console.log(`judged for ${hosts.length} hosts          ${ms(judge)}, ${(judge / make).toFixed(2)} of it (at most 1)`);
console.log(`again, after one more call   ${ms(next)}, ${(next / make).toFixed(2)} of it (at most 0.1)`);
if (judge > make || next > make / 10) process.exitCode = 1;
