import { expect, test } from 'vitest';
import { FakeClock } from '@/lib/wire/test-clock';
import { codeRuns } from './code-runs';
import { HIGHLIGHT_MS, Highlighter, type HighlightJob, type HighlightWorker } from './highlighter';

/** A worker that hangs on the code `hang`. */
class FakeWorker implements HighlightWorker {
  static made: FakeWorker[] = [];
  onmessage: HighlightWorker['onmessage'] = null;
  onerror: HighlightWorker['onerror'] = null;
  terminated = false;

  constructor() {
    FakeWorker.made.push(this);
  }

  postMessage({ code, names }: HighlightJob): void {
    if (code !== 'hang') queueMicrotask(() => this.onmessage?.({ data: codeRuns(code, names) }));
  }

  terminate(): void {
    this.terminated = true;
  }
}

function highlighter() {
  FakeWorker.made = [];
  const clock = new FakeClock();
  return { clock, made: FakeWorker.made, own: new Highlighter(() => new FakeWorker(), clock) };
}

const code = (text: string) => ({ code: text, names: ['json'] });
/** Lets the promises that are due settle. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

test('runs one job after the other in one worker', async () => {
  const { own, made } = highlighter();
  const [first, second] = await Promise.all([own.highlight(code('1')), own.highlight(code('"a"'))]);
  expect([[...first!], [...second!], made.length]).toEqual([[1, 4], [3, 2], 1]);
});

test('attack: gives up on a text that hangs, and goes on in a new worker', async () => {
  const { own, made, clock } = highlighter();
  const hung = own.highlight(code('hang'));
  const next = own.highlight(code('1'));
  await settled();
  clock.advance(HIGHLIGHT_MS);
  expect(await hung).toBeUndefined();
  expect(made[0]!.terminated).toBe(true);
  expect([...(await next)!]).toEqual([1, 4]);
  expect(made).toHaveLength(2);
});

test('attack: stops colouring after five texts that hang', async () => {
  const { own, made, clock } = highlighter();
  for (let count = 0; count < 5; count++) {
    const hung = own.highlight(code('hang'));
    await settled();
    clock.advance(HIGHLIGHT_MS);
    await hung;
  }
  expect(await own.highlight(code('1'))).toBeUndefined();
  expect(made).toHaveLength(5);
});
