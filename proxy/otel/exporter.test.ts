import { expect, onTestFinished, test } from 'vitest';
import { systemClock } from '@/lib/wire/clock';
import { LazyEgress } from '@/proxy/egress/lazy-egress';
import { Exporter, QUEUE_BYTES } from './exporter';
import { type OtlpSettings, readOtlpSettings } from './otlp-settings';
import { CALL, CONNECTION, type TestReceiver, testReceiver } from './test-telemetry';

/** Waits are recorded, and end at once. */
class QuickClock {
  readonly waits: number[] = [];
  now = () => performance.now();
  after(ms: number, run: () => void): () => void {
    // The longest waits are for the end and for metrics, which a test does not reach.
    if (ms >= 50_000) return () => {};
    this.waits.push(ms);
    const timer = setTimeout(run);
    return () => clearTimeout(timer);
  }
}

function exporterTo(url: string, more: Partial<OtlpSettings> = {}, clock = new QuickClock()) {
  const notes: string[] = [];
  const exporter = new Exporter(
    { ...readOtlpSettings(url, { OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20HEADERSECRET' }), ...more },
    {
      link: new LazyEgress({ clock: systemClock, version: '1', allowLocal: false }),
      clock,
      version: '1',
      instance: 'i-1',
      note: (sentence: string) => notes.push(sentence),
      now: () => Date.now(),
    },
  );
  return { exporter, notes, clock };
}

async function receiverWith(answer?: Parameters<typeof testReceiver>[0]): Promise<TestReceiver> {
  const receiver = await testReceiver(answer);
  onTestFinished(() => receiver.close());
  return receiver;
}

const END_MS = 60_000;

test('spans and metrics go in batches, with the headers of the environment', async () => {
  const receiver = await receiverWith();
  const { exporter, notes } = exporterTo(receiver.url);
  for (let n = 0; n < 1200; n++) exporter.addSpan({ n });
  exporter.addForeignSpan({ n: 'foreign' }, { resource: { attributes: [] }, scope: { name: 'pg' } });
  exporter.metrics.addExchange(CALL, CONNECTION);
  expect(await exporter.end(END_MS)).toEqual({ sent: 1201, dropped: 0 });
  const traces = receiver.received.filter(({ path }) => path === '/v1/traces');
  expect(traces.map(({ body }) => body.resourceSpans![0]!.scopeSpans[0]!.spans.length)).toEqual([512, 512, 176]);
  expect(traces.at(-1)!.body.resourceSpans![1]).toEqual({
    resource: { attributes: [] },
    scopeSpans: [{ scope: { name: 'pg' }, spans: [{ n: 'foreign' }] }],
  });
  expect(receiver.spans().slice(0, 1200)).toEqual(Array.from({ length: 1200 }, (_, n) => ({ n })));
  const metrics = receiver.received.find(({ path }) => path === '/v1/metrics')!;
  expect(metrics.body.resourceMetrics![0]!.scopeMetrics[0]!.metrics[0]!.name).toBe('mcp.client.operation.duration');
  for (const { headers } of receiver.received) {
    expect(headers).toMatchObject({ authorization: 'Bearer HEADERSECRET', 'content-type': 'application/json' });
  }
  expect(notes).toEqual([]);
});

test('a body can be compressed', async () => {
  const receiver = await receiverWith();
  const { exporter } = exporterTo(receiver.url, { gzip: true });
  exporter.addSpan({ n: 1 });
  await exporter.end(END_MS);
  expect(receiver.received[0]!.headers['content-encoding']).toBe('gzip');
  expect(receiver.spans()).toEqual([{ n: 1 }]);
});

test('a receiver that is busy gets the batch again, after the time that it asks for', async () => {
  const receiver = await receiverWith((response, _, count) => {
    if (count === 1) response.writeHead(503);
    else if (count === 2) response.writeHead(429, { 'Retry-After': '7' });
    else if (count === 3) response.writeHead(503, { 'Retry-After': '99999999' });
    response.end();
  });
  const { exporter, notes, clock } = exporterTo(receiver.url);
  exporter.addSpan({ n: 1 });
  expect(await exporter.end(END_MS)).toEqual({ sent: 1, dropped: 0 });
  expect(receiver.received.filter(({ path }) => path === '/v1/traces')).toHaveLength(4);
  const waits = clock.waits.filter((ms) => ms !== 1000);
  expect(waits[0]).toBeGreaterThan(700);
  expect(waits[0]).toBeLessThan(1300);
  expect(waits.slice(1)).toEqual([7000, 30_000]);
  expect(notes[0]).toMatch(/answered with status 503/);
});

test.each([
  ['refuses', 400],
  ['wants another token', 401],
  ['is another program', 404],
])('a receiver that %s loses the spans, with a note and a count', async (_, status) => {
  const receiver = await receiverWith((response) => {
    response.writeHead(status);
    response.end('HEADERSECRET');
  });
  const { exporter, notes } = exporterTo(receiver.url);
  exporter.addSpan({ n: 1 });
  expect(await exporter.end(END_MS)).toEqual({ sent: 0, dropped: 1 });
  expect(receiver.received).toHaveLength(1);
  expect(notes.join('\n')).toMatch(new RegExp(`status ${status}[^]*1 span could not be exported`));
  expect(notes.join('\n')).not.toContain('HEADERSECRET');
});

test('a redirect is not followed, so no header goes elsewhere', async () => {
  const other = await receiverWith();
  const receiver = await receiverWith((response) => {
    response.writeHead(307, { Location: `${other.url}/v1/traces` });
    response.end();
  });
  const { exporter, notes } = exporterTo(receiver.url);
  exporter.addSpan({ n: 1 });
  expect(await exporter.end(END_MS)).toEqual({ sent: 0, dropped: 1 });
  expect(other.received).toEqual([]);
  expect(notes[0]).toContain('307');
});

test.each([
  ['an empty answer', ''],
  ['HTML', '<html>'],
  ['another JSON', '{"partialSuccess":[],"x":1}'],
  ['a nonsense count', '{"partialSuccess":{"rejectedSpans":"many"}}'],
  ['a huge answer', 'x'.repeat(3_000_000)],
])('%s with status 200 is success', async (_, text) => {
  const receiver = await receiverWith((response) => response.end(text));
  const { exporter } = exporterTo(receiver.url);
  exporter.addSpan({ n: 1 });
  expect(await exporter.end(END_MS)).toEqual({ sent: 1, dropped: 0 });
});

test('spans that the receiver rejects are counted', async () => {
  const receiver = await receiverWith((response) => response.end('{"partialSuccess":{"rejectedSpans":"2"}}'));
  const { exporter, notes } = exporterTo(receiver.url);
  for (let n = 0; n < 5; n++) exporter.addSpan({ n });
  expect(await exporter.end(END_MS)).toEqual({ sent: 3, dropped: 2 });
  expect(notes.join()).toContain('2 spans could not be exported');
});

test('a receiver that never answers is left after a while, and the end does not wait for it', async () => {
  const receiver = await receiverWith(() => {});
  const { exporter, notes } = exporterTo(receiver.url, {}, systemClock as never);
  exporter.addSpan({ n: 1 });
  const began = performance.now();
  expect(await exporter.end(300)).toEqual({ sent: 0, dropped: 1 });
  expect(performance.now() - began).toBeLessThan(5000);
  expect(notes.at(-1)).toMatch(/^1 span could not be exported to http:\/\/127\.0\.0\.1:\d+\/v1\/traces\.$/);
});

test('a receiver that is down costs a bounded number of bytes, and each span that does not fit is counted', async () => {
  const receiver = await receiverWith();
  await receiver.close();
  const { exporter } = exporterTo(receiver.url, {}, systemClock as never);
  const text = 'x'.repeat(1_000_000);
  for (let n = 0; n < 40; n++) exporter.addSpan({ text });
  expect((await exporter.end(100)).dropped).toBe(40);
  expect(QUEUE_BYTES).toBeLessThanOrEqual(16 * 1024 * 1024);
});

test('a receiver without metrics is asked once', async () => {
  const receiver = await receiverWith((response, { path }) => {
    response.writeHead(path === '/v1/metrics' ? 404 : 200);
    response.end();
  });
  const { exporter, notes } = exporterTo(receiver.url);
  exporter.addSpan({ n: 1 });
  exporter.metrics.addExchange(CALL, CONNECTION);
  expect(await exporter.end(END_MS)).toEqual({ sent: 1, dropped: 0 });
  expect(notes).toEqual([expect.stringContaining('takes no metrics')]);
});
