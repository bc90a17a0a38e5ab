/**
 * Cost of redaction while recording: microseconds per frame of about 200 bytes with two known values, and nanoseconds
 * per byte of a list of tools. The baseline, in the same run, is JSON.parse of the same bytes.
 */
import { CaptureRedactor } from '@/lib/redact/capture-redactor';
import { quantile } from './inspected';

const ROUNDS = 60;
const PER_ROUND = 5000;

const rpc = (rest: object) => JSON.stringify({ jsonrpc: '2.0', ...rest });
const words = 'The quick brown fox jumps over the lazy dog, and rests for a while where the water is cold and clear.';
const FRAMES: Readonly<Record<string, string>> = {
  result: rpc({ id: 12, result: { content: [{ type: 'text', text: `${words} It is late.` }], isError: false } }),
  call: rpc({
    id: 12,
    method: 'tools/call',
    params: { name: 'read', arguments: { path: words }, _meta: { progressToken: 12 } },
  }),
  'with a secret': rpc({
    id: 12,
    method: 'tools/call',
    params: { name: 'read', arguments: { path: words, apiKey: 'a1-b2-c3-d4' } },
  }),
  'list of tools': rpc({
    id: 2,
    result: {
      tools: Array.from({ length: 200 }, (_, index) => ({
        name: `tool_${index}`,
        description: words,
        inputSchema: {
          type: 'object',
          properties: { path: { type: 'string' }, token: { type: 'string' } },
          required: ['path'],
        },
      })),
    },
  }),
};

for (const [name, text] of Object.entries(FRAMES)) {
  const bytes = new TextEncoder().encode(text);
  const redactor = new CaptureRedactor(['a-value-given-1', 'another-value-2']);
  const decoder = new TextDecoder();
  const runs = bytes.length > 10_000 ? 5 : PER_ROUND;
  const ours: number[] = [];
  const parsing: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    ours.push(perRun(runs, () => redactor.apply({ bytes })));
    parsing.push(perRun(runs, () => JSON.parse(decoder.decode(bytes))));
  }
  const [cost, parse] = [quantile(ours, 0.5), quantile(parsing, 0.5)];
  console.log(
    `${name.padEnd(14)} ${bytes.length} B  ${cost.toFixed(2)} µs  ${((1000 * cost) / bytes.length).toFixed(1)} ns/B  ${(cost / parse).toFixed(2)} × JSON.parse`,
  );
}

/** Returns the microseconds of one run. */
function perRun(runs: number, run: () => unknown): number {
  const began = performance.now();
  for (let count = 0; count < runs; count++) run();
  return ((performance.now() - began) * 1000) / runs;
}
