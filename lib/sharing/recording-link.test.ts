import { deflateRawSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { toBase64Url } from '@/lib/recording/base64';
import { encodeFrame, encodeHeaderOrEnd } from '@/lib/recording/encode-lines';
import { LIMITS } from '@/lib/wire/limits';
import { LINK_DICTIONARY } from './link-format';
import { createRecordingLink, linesForLink } from './make-link';
import { readRecordingLink } from './open-link';

const BASE = 'https://example.com/inspect/?panel=tools#old';

function recording(texts: readonly string[]): Uint8Array {
  return Buffer.concat([
    Buffer.from('{"mcpr":1,"id":"abcdefgh"}\n'),
    ...texts.map((text, index) =>
      encodeFrame(index + 1, {
        time: index * index * 1000,
        channel: 'protocol',
        direction: 'to-client',
        flags: 0,
        bytes: Buffer.from(text),
      }),
    ),
    encodeHeaderOrEnd({ k: 'end', t: 4000, frames: texts.length }),
  ]);
}

function packed(text: string, dictionary = LINK_DICTIONARY): string {
  return `1.${toBase64Url(deflateRawSync(text, { dictionary: Buffer.from(dictionary) }))}`;
}

test('opens a link to the same bytes', async () => {
  const whole = recording([
    '{"jsonrpc":"2.0","id":1,"method":"tools/list"}',
    '{"jsonrpc":"2.0","id":1,"result":{"n":12345678901234567890,"世界":"🌍"}}',
    '{"t":5,"n":1}',
    'no JSON\r',
  ]);
  const link = createRecordingLink(BASE, whole);
  expect(link).toMatch(/^https:\/\/example\.com\/inspect\/\?panel=tools#recording=1\.[\w-]+$/);
  expect(Buffer.from(await readRecordingLink(link.split('#recording=')[1]!))).toEqual(whole);
});

test('keeps the dictionary within deflate’s reach and in one stored block', () => {
  expect(Buffer.byteLength(LINK_DICTIONARY)).toBeLessThan(32_768);
});

test.each([
  ['no text', ''],
  ['no version', 'abcd'],
  ['invalid base64url', '1.ab+d'],
  ['invalid deflate data', '1.____'],
  ['deflate that was cut off', packed('x'.repeat(10_000) + Math.random()).slice(0, -6)],
  ['a length that base64 has not', '1.a'],
])('reports %s as damage', async (_, text) => {
  await expect(readRecordingLink(text)).rejects.toMatchObject({ code: 'link-damaged' });
});

test('reports a newer kind of link', async () => {
  await expect(readRecordingLink('2.abcd')).rejects.toMatchObject({ code: 'link-newer' });
});

test('limits a bomb', async () => {
  const bomb = packed('0'.repeat(LIMITS.linkUnpackedBytes + 1));
  expect(bomb.length).toBeLessThan(200_000);
  await expect(readRecordingLink(bomb)).rejects.toMatchObject({ code: 'link-too-large' });
});

test('refuses links that are too long or not to a page', () => {
  const random = recording(
    Array.from({ length: 30 }, () => toBase64Url(crypto.getRandomValues(new Uint8Array(65_000)))),
  );
  expect(() => createRecordingLink(BASE, random)).toThrow(expect.objectContaining({ code: 'link-too-long' }));
  for (const base of ['javascript:alert(1)', 'file:///x', 'x', 'https://user:secret@example.com/']) {
    expect(() => createRecordingLink(base, recording([]))).toThrow(expect.objectContaining({ code: 'link-base' }));
  }
});

test('stops early if a recording is too long for a link', async () => {
  let written = 0;
  async function* chunks() {
    for (; written < 1000; written++) yield new Uint8Array(LIMITS.linkUnpackedBytes / 4);
  }
  await expect(linesForLink(chunks())).rejects.toMatchObject({ code: 'link-too-long' });
  expect(written).toBe(4);
});
