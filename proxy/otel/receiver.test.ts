import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { FakeClock } from '@/lib/wire/test-clock';
import { exportOf, LoggedTelemetry, send, sendJson, spanOf, startReceiver, TRACE } from './test-receiver';

it('logs spans as frames, with their resource before the first one only', async () => {
  const { url, logged } = await startReceiver();
  const answer = await sendJson(url, exportOf([spanOf(1), spanOf(2)]));
  expect(answer).toMatchObject({ status: 200, headers: { 'content-type': 'application/json' } });
  expect(answer.body.toString()).toBe('{}');
  await sendJson(url, exportOf([spanOf(3)]));
  expect(logged.units).toMatchObject([
    { resource: expect.any(String), attributes: [{ key: 'service.name' }] },
    { service: 'files', scope: 'test', span: { traceId: TRACE, name: 'span 1' } },
    { span: { name: 'span 2' } },
    { span: { name: 'span 3' } },
  ]);
  const [resource, span] = logged.units as unknown as [{ resource: string }, { of: string }];
  expect(span.of).toBe(resource.resource);
});

it('unpacks gzip', async () => {
  const { url, logged } = await startReceiver();
  const packed = gzipSync(JSON.stringify(exportOf([spanOf(1)])));
  expect((await send(url, packed, { headers: { 'Content-Encoding': 'gzip' } })).status).toBe(200);
  expect(logged.spans).toEqual(['span 1']);
});

it('accepts an export without its invalid spans, and says how many', async () => {
  const { url, logged, receiver } = await startReceiver();
  const answer = await sendJson(url, exportOf([spanOf(1), { ...spanOf(2), traceId: '0'.repeat(32) }, 'no span']));
  expect(answer.status).toBe(200);
  const errorMessage = 'A span has no valid trace id and span id.';
  expect(JSON.parse(answer.body.toString())).toEqual({ partialSuccess: { rejectedSpans: '2', errorMessage } });
  expect(logged.spans).toEqual(['span 1']);
  await receiver.close('a-token-of-a-connection', logged);
  expect(logged.losses).toMatchObject([{ why: 'invalid', requests: 0, items: 2 }]);
});

it('answers protobuf with protobuf', async () => {
  const { url } = await startReceiver();
  const type = 'application/x-protobuf';
  const whole = await send(url, '', { type });
  expect(whole).toMatchObject({ status: 200, headers: { 'content-type': type } });
  expect(whole.body).toHaveLength(0);
  // resource_spans { scope_spans { spans { } } }
  const partial = await send(url, Buffer.from('0a0412021200', 'hex'), { type });
  // partial_success { rejected_spans: 1, error_message: "A span …" }
  expect(partial.status).toBe(200);
  expect(partial.body.subarray(0, 6).toString('hex')).toBe('0a2d0801122941'.slice(0, 12));
  expect(partial.body.subarray(6).toString()).toBe('A span has no valid trace id and span id.');
  const broken = await send(url, Buffer.from('0aff', 'hex'), { type });
  expect(broken).toMatchObject({ status: 400, headers: { 'content-type': type } });
  expect(broken.body.subarray(0, 2).toString('hex')).toBe('0803');
});

it('sorts telemetry by the token in the path', async () => {
  const { receiver, url, logged } = await startReceiver();
  const other = new LoggedTelemetry();
  receiver.open('another-token-of-this-run', other);
  await sendJson(url.replace('a-token-of-a-connection', 'another-token-of-this-run'), exportOf([spanOf(1)]));
  expect([logged.spans, other.spans]).toEqual([[], ['span 1']]);
});

it('receives what is on its way when the connection ends, and nothing later', async () => {
  const { receiver, url, logged } = await startReceiver();
  const spans = Array.from({ length: 5000 }, (_, n) => spanOf(n));
  const sending = sendJson(url, exportOf(spans));
  await expect.poll(() => logged.spans.length).toBeGreaterThan(0);
  await receiver.close('a-token-of-a-connection', logged);
  expect(logged.spans).toHaveLength(5000);
  expect((await sending).status).toBe(200);
  expect((await sendJson(url, exportOf([spanOf(1)]))).status).toBe(401);
});

it('logs nothing more after the end, even of an export that takes longer than the end waits', async () => {
  const clock = new FakeClock();
  const { receiver, url, logged } = await startReceiver(clock);
  const sending = sendJson(url, exportOf(Array.from({ length: 15_000 }, (_, n) => spanOf(n))));
  await expect.poll(() => logged.spans.length, { interval: 1 }).toBeGreaterThan(0);
  const closing = receiver.close('a-token-of-a-connection', logged);
  clock.advance(60_000);
  await closing;
  const count = logged.spans.length;
  expect((await sending).status).toBe(401);
  expect(logged.spans).toHaveLength(count);
});

it('gives way to other work while it reads a large export', async () => {
  const { url, logged } = await startReceiver();
  let [longest, last, done] = [0, performance.now(), false];
  const tick = (): void => {
    const now = performance.now();
    longest = Math.max(longest, now - last);
    last = now;
    if (!done) setImmediate(tick);
  };
  const spans = Array.from({ length: 15_000 }, (_, n) => spanOf(n));
  const body = JSON.stringify(exportOf(spans));
  const sending = send(url, body);
  last = performance.now();
  tick();
  await sending;
  done = true;
  expect(logged.spans).toHaveLength(15_000);
  // Reading takes a few hundred milliseconds in all. Parsing the JSON is one step.
  expect(longest).toBeLessThan(1000);
});
