/**
 * Cost of checking: microseconds per message of one ProblemFinder with all rules, over a connection with many calls.
 * The baseline, in the same run, is JSON.parse of the same bytes. Small messages are calls, results and notifications.
 * Lists have 25 tools.
 */
import { ProblemFinder } from '@/lib/problems/problem-finder';
import type { Frame } from '@/lib/wire/frame';
import { quantile } from './inspected';

const ROUNDS = 400;
const PER_ROUND = 250;
/** Budget for the median of small messages, in microseconds. */
const BUDGET = 20;

const encoder = new TextEncoder();
const decoder = new TextDecoder();
let seq = 0;

function frame(direction: Frame['direction'], value: object): Frame {
  seq++;
  return { seq, time: seq, direction, channel: 'protocol', flags: 0, bytes: encoder.encode(JSON.stringify(value)) };
}

const request = (id: number | string, method: string, params: object) =>
  frame('to-server', { jsonrpc: '2.0', id, method, params });
const result = (id: number | string, value: object) => frame('to-client', { jsonrpc: '2.0', id, result: value });

const tool = (index: number) => ({
  name: `tool_${index}`,
  title: `Tool ${index}`,
  description: 'Does what it says, and says what it does, at some length so that it is like a real one.',
  inputSchema: {
    type: 'object',
    properties: { path: { type: 'string', description: 'Where' }, limit: { type: 'number', default: 10 } },
    required: ['path'],
    additionalProperties: false,
    $schema: 'http://json-schema.org/draft-07/schema#',
  },
  annotations: { readOnlyHint: true, destructiveHint: false },
});

function opening(): Frame[] {
  const implementation = { name: 'bench', version: '1' };
  const capabilities = { tools: { listChanged: true }, logging: {} };
  return [
    request('i', 'initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: implementation }),
    result('i', { protocolVersion: '2025-11-25', capabilities, serverInfo: implementation }),
    frame('to-server', { jsonrpc: '2.0', method: 'notifications/initialized' }),
  ];
}

let calls = 0;
/** Makes a call with two progress notifications, a log message and the result: five small messages. */
function call(): Frame[] {
  const id = ++calls;
  const params = { name: 'tool_1', arguments: { path: '/a/b', limit: 3 }, _meta: { progressToken: id } };
  const note = (method: string, more: object) => frame('to-client', { jsonrpc: '2.0', method, params: more });
  return [
    request(id, 'tools/call', params),
    note('notifications/progress', { progressToken: id, progress: 1, total: 2 }),
    note('notifications/progress', { progressToken: id, progress: 2, total: 2, message: 'done' }),
    note('notifications/message', { level: 'info', logger: 'bench', data: 'Half of it is done.' }),
    result(id, { content: [{ type: 'text', text: 'The answer is 42.' }], isError: false }),
  ];
}

const lists = () => [
  request(`l${++calls}`, 'tools/list', {}),
  result(`l${calls}`, { tools: Array.from({ length: 25 }, (_, at) => tool(at)) }),
];

/** Returns the microseconds per frame of each round. */
function measure(finder: ProblemFinder, make: () => Frame[], count: number, rounds: number): number[] {
  const times: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const frames = Array.from({ length: count }, make).flat();
    const begin = performance.now();
    for (const each of frames) finder.addFrame(each);
    times.push(((performance.now() - begin) * 1000) / frames.length);
  }
  return times;
}

function measureParse(make: () => Frame[], count: number, rounds: number): number[] {
  const times: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const frames = Array.from({ length: count }, make).flat();
    const begin = performance.now();
    for (const { bytes } of frames) JSON.parse(decoder.decode(bytes));
    times.push(((performance.now() - begin) * 1000) / frames.length);
  }
  return times;
}

const finder = new ProblemFinder();
for (const each of opening()) finder.addFrame(each);
const small = measure(finder, call, PER_ROUND / 5, ROUNDS);
const parsed = measureParse(call, PER_ROUND / 5, ROUNDS);
const listed = measure(finder, lists, 5, 60);
if (finder.problems.length > 0) throw new Error(`The messages have problems: ${JSON.stringify(finder.problems[0])}`);

const words = (times: number[]) =>
  `${quantile(times, 0.5).toFixed(1)} µs median, ${quantile(times, 0.95).toFixed(1)} µs p95`;
console.log(`small message, all rules   ${words(small)} (budget ${BUDGET} µs)`);
console.log(`its decoding and parsing   ${words(parsed)}`);
console.log(`tools/list of 25, per frame ${words(listed)}`);
if (quantile(small, 0.5) > BUDGET) process.exitCode = 1;
