import { expect, test } from 'vitest';
import { cutFrame, joinMessage } from '@/lib/wire/cut-message';
import type { CutMessage, Frame } from '@/lib/wire/frame';
import { type Choices, ruleKey } from './findings';
import { Placeholders } from './placeholders';
import { ShareReview } from './share-review';

const encoder = new TextEncoder();
const decoder = new TextDecoder();
const SECRET = 'sk-proj-Zx9Rt4Lw8Vb3Np6Ys1Hd5Gf0Jc2Km7Qa';
const OTHER = 'ghp_Rt4Lw8Vb3Np6Ys1Hd5Gf0Jc2Km7QaZx9bTd2';

/** Returns a long string with `text` in its middle. */
function long(text = ''): Uint8Array {
  const half = 'The quick brown fox jumps over the lazy dog at noon. '.repeat(3000);
  return encoder.encode(half + text + half);
}

/** Makes a message of a template, in which `@` stands for the next long string. */
function message(template: string, ...strings: readonly Uint8Array[]): CutMessage {
  const parts = template.split('@');
  const text = encoder.encode(parts.join(''));
  const cut = strings.map((bytes, index) => ({ at: encoder.encode(parts.slice(0, index + 1).join('')).length, bytes }));
  return { text, strings: cut, length: text.length + strings.reduce((sum, { length }) => sum + length, 0) };
}

const about = (index: number) =>
  ({ seq: index + 1, time: index, channel: 'protocol', direction: 'to-client', flags: 0 }) as const;
const cutFrames = (messages: readonly CutMessage[]): Frame[] =>
  messages.map((cut, index) => cutFrame(about(index), cut) as Frame);
const wholeFrames = (messages: readonly CutMessage[]): Frame[] =>
  messages.map((cut, index) => ({ ...about(index), bytes: joinMessage(cut) }));

function outcome(frames: readonly Frame[], placeholders: Placeholders, choices: Choices) {
  const review = new ShareReview(placeholders);
  for (const frame of frames) review.addFrame(frame);
  const redaction = review.createRedaction(choices);
  const texts = frames.map((frame) => decoder.decode(redaction.apply(frame).bytes));
  return { findings: review.findings(), count: redaction.count, texts };
}

const [PLAIN, WITH_SECRET] = [long(), long(`The key is ${SECRET} here. `)];
const result = (id: number, more = '') => `{"jsonrpc":"2.0","id":${id},${more}"result":{"content":[{"text":"@"}]}}`;
const CASES: readonly (readonly [string, readonly CutMessage[]])[] = [
  ['has no secret', [1, 2, 3].map((id) => message(result(id), PLAIN))],
  ['has a secret inside', [1, 2, 3].map((id) => message(result(id), WITH_SECRET))],
  ['has secrets around it', [1, 2, 3].map((id) => message(result(id, `"api_key":"${OTHER}",`), PLAIN))],
  ['has secrets inside and around it', [1, 2].map((id) => message(result(id, `"api_key":"${OTHER}",`), WITH_SECRET))],
  [
    'is a secret by its name, in a later message',
    [message('{"a":"@"}', PLAIN), message('{"password":"@","b":1}', PLAIN), message('{"a":"@"}', PLAIN)],
  ],
  [
    'has a value that becomes known later',
    [
      message('{"a":"@"}', long('Copy it now: kf83hfA9dkq2mZ7 and close. ')),
      message(`{"api_token":"kf83hfA9dkq2mZ7"}`),
      message('{"a":"@"}', long('Copy it now: kf83hfA9dkq2mZ7 and close. ')),
    ],
  ],
  ['has a placeholder', [1, 2].map((id) => message(result(id), long('key [redacted:api-key:0123abcd] ')))],
  [
    'begins a key that goes on in the next frame',
    [
      message('{"a":"@"}', long('-----BEGIN PRIVATE KEY-----')),
      message('{"line":"MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSj"}'),
      message('{"a":"@"}', PLAIN),
    ],
  ],
  ['stands beside others', [1, 2].map(() => message('{"a":["@","x","@","@"]}', PLAIN, WITH_SECRET, PLAIN))],
  ['is shorter', [1, 2].map(() => message('{"a":"@"}', encoder.encode(`token=${SECRET} ${'x '.repeat(50_000)}`)))],
];

const CHOICES: readonly (readonly [string, Choices])[] = [
  ['as proposed', {}],
  ['with random text masked', { decisions: new Map([[ruleKey('random'), 'mask']]) }],
  ['with a pattern', { patterns: [{ regex: 'lazy|result' }] }],
];
for (const [name, choices] of CHOICES) {
  test.each(CASES)(`${name}, a shared string that %s is treated as in whole messages`, (_, messages) => {
    const placeholders = new Placeholders();
    const cut = outcome(cutFrames(messages), placeholders, choices);
    expect(cut).toEqual(outcome(wholeFrames(messages), placeholders, choices));
    for (const secret of [SECRET, OTHER]) expect(cut.texts.join('')).not.toContain(secret);
  });
}

test.each([
  ['without secrets', PLAIN],
  ['with a secret', WITH_SECRET],
])('a string %s that many messages share is scanned in the first ones only', (_, string) => {
  const review = new ShareReview();
  const frames = Array.from({ length: 50 }, (_, index): Frame => {
    const cut = message(result(index), string);
    // Values that the first message adds are looked for in the second one.
    if (index < 2) return cutFrame(about(index), cut) as Frame;
    const unreadable = () => {
      throw new Error('The whole message was read.');
    };
    return Object.defineProperties({ ...about(index) } as Frame, { bytes: { get: unreadable }, cut: { value: cut } });
  });
  for (const frame of frames) review.addFrame(frame);
  const redaction = review.createRedaction();
  const strings = frames.map((frame) => redaction.apply(frame).cut?.strings[0]?.bytes);
  // The encoder writes the same array once.
  expect(new Set(strings).size).toBe(1);
  expect(decoder.decode(strings[0])).not.toContain(SECRET);
});
