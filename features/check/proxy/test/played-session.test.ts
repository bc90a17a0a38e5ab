import { expect, test } from 'vitest';
import { CaptureRedactor } from '@/lib/redact/capture-redactor';
import type { Frame } from '@/lib/wire/frame';
import { PlayedSession } from './played-session';

const LATE = 'kf83jsQ0pLm2Zx7vTb';

/** A call that is answered with this text. */
function call(id: number, text: string): readonly Frame[] {
  const frame = (seq: number, direction: Frame['direction'], message: object): Frame => ({
    seq,
    time: seq,
    channel: 'protocol',
    direction,
    flags: 0,
    bytes: Buffer.from(JSON.stringify({ jsonrpc: '2.0', id, ...message })),
  });
  return [
    frame(2 * id - 1, 'to-server', { method: 'tools/call', params: { name: 'a', arguments: { id } } }),
    frame(2 * id, 'to-client', { result: { content: [{ type: 'text', text }] } }),
  ];
}

test('holds the newest texts as they came, and the others on disk without secrets, also late ones', async () => {
  const session = new PlayedSession(new CaptureRedactor(['hunter2-given']));
  const filler = 'x'.repeat(100_000);
  const texts = Array.from({ length: 100 }, (_, at) => `${at} ${filler}`);
  texts[0] = `Copy it now: ${LATE}`;
  texts[1] = 'given: hunter2-given';
  texts[99] = JSON.stringify({ api_token: LATE });
  for (const [at, text] of texts.entries()) for (const frame of call(at + 1, text)) session.addFrame(frame);
  // Raw, because later requests may contain names from the last answer.
  const newest = session.live.sent.at(-1)!;
  expect(newest.kind === 'call' && newest.answer?.text).toContain(LATE);
  const { sent } = await session.withoutSecrets(() => {});
  session.addFrame(call(101, 'late')[0]!);
  const answers = sent.map((message) => (message.kind === 'call' ? message.answer!.text : ''));
  expect(answers).toHaveLength(100);
  expect(answers[0]).toMatch(/Copy it now: \[redacted:/);
  expect(answers[1]).toMatch(/given: \[redacted:/);
  expect(answers[50]).toContain(`50 ${filler}`);
  expect(answers.join('')).not.toContain(LATE);
  await session.close();
});
