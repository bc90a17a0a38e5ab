import { mkdirSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { demoCommand, expect, runBin, test } from './bin';
import { Workbench } from './workbench';

interface Span {
  readonly name: string;
  readonly attributes: readonly { readonly key: string; readonly value: object }[];
}

/** A receiver that keeps the spans. */
async function receiver() {
  const spans: Span[] = [];
  const texts: string[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const text = Buffer.concat(chunks).toString();
      texts.push(text);
      for (const { scopeSpans } of JSON.parse(text).resourceSpans ?? []) spans.push(...scopeSpans[0].spans);
      response.end('{}');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url, spans, texts, close: () => server.close() };
}

const attributeOf = ({ attributes }: Span, key: string) =>
  Object.values(attributes.find((one) => one.key === key)?.value ?? {})[0];

test('a span of an exported recording names the frame that `open --frames` shows', async ({ open }, { outputDir }) => {
  mkdirSync(outputDir, { recursive: true });
  const file = join(outputDir, 'session.mcpr.jsonl');
  const called = ['call', 'echo', '--arg', 'text=PLANTED', '--record', file, '--', ...demoCommand()];
  expect((await runBin(called)).ended).toBe(0);
  const { url, spans, texts, close } = await receiver();
  const { ended, stdout } = await runBin(['export', file, '--format', 'otlp', '--out', url]);
  close();
  expect(ended).toBe(0);
  expect(stdout).toContain(`Exported ${spans.length} spans of 1 recording to ${url}/v1/traces`);
  expect(texts.join()).not.toContain('PLANTED');
  const span = spans.find(({ name }) => name === 'tools/call echo')!;
  expect(attributeOf(span, 'mcp_inspect.recording.file')).toBe('session.mcpr.jsonl');
  const frame = attributeOf(span, 'mcp_inspect.recording.frame');
  const { page } = await open(['open', file, '--frames', String(frame)]);
  const bench = new Workbench(page);
  const detail = bench.region('Message detail');
  await expect(detail).toContainText(`#${frame}`);
  await expect(detail).toContainText('PLANTED');
  // In a narrow window the log is in front, too.
  await page.setViewportSize({ width: 390, height: 844 });
  await page.reload();
  await expect(bench.region('Message detail')).toContainText(`#${frame}`);
});

test('a frame that a recording lacks is refused', async () => {
  const { outputDir } = test.info();
  mkdirSync(outputDir, { recursive: true });
  const file = join(outputDir, 'session.mcpr.jsonl');
  expect((await runBin(['list', '--record', file, '--', ...demoCommand()])).ended).not.toBe(2);
  const { ended, stderr } = await runBin(['--no-open', 'open', file, '--frames', '9999']);
  expect(ended).toBe(2);
  expect(stderr).toContain('has no frame 9999');
});

test('the page exports its connections with --otel export, and only then', async ({ open }) => {
  const { url, spans, close } = await receiver();
  const env = { OTEL_EXPORTER_OTLP_ENDPOINT: url };
  for (const options of [[], ['--otel', 'export=env']]) {
    const { bin, page } = await open([...options, '--', ...demoCommand()], { env });
    const bench = new Workbench(page);
    await bench.connected();
    if (options.length > 0) {
      await expect.poll(() => spans.map(({ name }) => name)).toContain('tools/list');
      expect(attributeOf(spans[0]!, 'mcp_inspect.recording.id')).toMatch(/^[0-9a-f-]{36}$/);
      expect(bin.stderr()).toContain(`Spans of all connections go to ${url}/v1/traces`);
    }
    bin.kill('SIGTERM');
    await bin.ended;
    if (options.length === 0) expect(spans).toEqual([]);
  }
  close();
});
