import { describe, expect, test, vi } from 'vitest';
import { LIMITS } from '@/lib/wire/limits';
import { CaptureRedactor } from './capture-redactor';
import { REDACTED_SLICE_BYTES } from './scan-text';
import { plantedFrame, result } from './test-plant';
import { PLANTED } from './test-planted';
import { survivors } from './test-survivors';

const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);

describe('writes none of the planted secrets', () => {
  test.each(PLANTED.filter(({ onlyShared }) => !onlyShared))('$where', (planted) => {
    const redactor = new CaptureRedactor([]);
    const written = planted.frames.map((frame) => text(redactor.apply(frame).bytes));
    expect(survivors(written.join('\n'), [planted])).toEqual([]);
    for (const [index, frame] of planted.frames.entries()) {
      if (isJson(text(frame.bytes))) expect(() => JSON.parse(written[index]!)).not.toThrow();
    }
    expect(survivors(planted.frames.map(({ bytes }) => text(bytes)).join('\n'), [planted])).toHaveLength(1);
  });
});

describe('removes a given value in every form', () => {
  const value = 'Über€/"geheim"?';
  const bytes = new TextEncoder().encode(value);
  const binary = String.fromCharCode(...bytes);
  test.each([
    ['plain', value],
    ['in JSON', JSON.stringify(value).slice(1, -1)],
    ['in JSON of ASCII', '\\u00dcber\\u20ac/\\"geheim\\"?'],
    ['in a URL', encodeURIComponent(value)],
    ['in base64', btoa(binary).replace(/=+$/, '')],
    ['in hex', Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')],
  ])('%s', (_what, form) => {
    const frame = plantedFrame(`a ${form} b`);
    expect(text(new CaptureRedactor([value]).apply(frame).bytes)).toMatch(/^a \[redacted:given:\w{8}\].? b$/);
  });
});

test('reads JSON after a byte order mark', () => {
  const frame = plantedFrame('\uFEFF{"password":{"of":["c0rrect-h0rse-9Z"]}}');
  const written = new TextDecoder('utf-8', { ignoreBOM: true }).decode(new CaptureRedactor([]).apply(frame).bytes);
  expect(written).toMatch(/^\uFEFF\{"password":\{"of":\["\[redacted:[a-z]+:\w{8}\]"\]\}\}$/);
});

test('uses the same placeholder for a value within one recording', () => {
  const redactor = new CaptureRedactor([]);
  const [first, second] = ['{"token":"ab-12-cd-34"}', 'ab-12-cd-34'].map((one) =>
    text(redactor.apply(plantedFrame(one)).bytes),
  );
  expect(first).toBe(`{"token":"${second}"}`);
  expect(text(new CaptureRedactor([]).apply(plantedFrame('{"token":"ab-12-cd-34"}')).bytes)).not.toBe(first);
});

test('redacts a message that was not passed on like the one that took its place', () => {
  const message = '{"jsonrpc":"2.0","id":1,"result":{"token":"ab-12-cd-34"}}';
  const redactor = new CaptureRedactor([]);
  const original = text(redactor.apply(plantedFrame(message, 'intercept')).bytes);
  expect(original).not.toContain('ab-12');
  expect(text(redactor.apply(plantedFrame(message)).bytes)).toBe(original);
});

test('removes a value with a colour inside', () => {
  const frame = plantedFrame('token="ab-12\u001b[1m-cd-34\u001b[0m" ok', 'stderr');
  expect(text(new CaptureRedactor([]).apply(frame).bytes)).toMatch(/^token="\[redacted:token:\w{8}\].{0,4}" ok$/);
});

test('keeps text after a private key printed line by line, and JSON between its lines', () => {
  const redactor = new CaptureRedactor([]);
  const lines = ['-----BEGIN PRIVATE KEY-----', 'MIIEvQ', '{"jsonrpc":"2.0"}', '-----END PRIVATE KEY-----', 'ready'];
  const written = lines.map((line) => text(redactor.apply(plantedFrame(line, 'stderr')).bytes));
  expect(written.map((line) => line.replace(/:\w{8}\]/, ']'))).toEqual([
    '[redacted:private-key]',
    '[redacted:private-key]',
    '{"jsonrpc":"2.0"}',
    '[redacted:private-key]',
    'ready',
  ]);
  redactor.apply(plantedFrame('-----BEGIN PRIVATE KEY-----', 'stderr'));
  expect(text(redactor.apply(plantedFrame('ready', 'protocol')).bytes)).toBe('ready');
});

test('leaves JSON valid if a token seems to begin inside an escape at the border of two slices', () => {
  const token = `rubygems_${'0123456789abcdef'.repeat(3)}`;
  const before = 'z '.repeat(REDACTED_SLICE_BYTES).slice(1);
  const message = result('?').replace('?', `${before}\\${token} ${before.repeat(3)}`);
  const { bytes } = new CaptureRedactor([]).apply(plantedFrame(message, 'protocol'));
  expect(JSON.parse(text(bytes))).toEqual(JSON.parse(message));
});

test('forgets older ones of too many values, but never a given one', () => {
  const redactor = new CaptureRedactor(['given-1-given-1']);
  const token = (index: number) => `tok-${index}-A8dkfj29x`;
  const said = (value: string) => text(redactor.apply(plantedFrame(`said ${value}`)).bytes);
  for (let index = 0; index <= LIMITS.redactedValues; index++)
    redactor.apply(plantedFrame(JSON.stringify({ token: token(index) })));
  expect(said(token(LIMITS.redactedValues))).toMatch(/^said \[redacted:token/);
  expect(said('given-1-given-1')).toMatch(/^said \[redacted:given/);
  expect(said(token(0))).toBe(`said ${token(0)}`);
});

test('removes the whole of a repeated long value with spaces', () => {
  const value = 'one 2 three '.repeat(20);
  expect(text(new CaptureRedactor([value]).apply(plantedFrame(`a ${value}b`)).bytes)).toMatch(
    /^a \[redacted:given:\w{8}\]b$/,
  );
});

test('removes the whole of a token of any length', () => {
  const token = `eyJhbGciOiJIUzI1NiJ9.eyJ${'A1b2'.repeat(5000)}.c2lnbmF0dXJl`;
  expect(text(new CaptureRedactor([]).apply(plantedFrame(`it is ${token}. So`)).bytes)).toMatch(
    /^it is \[redacted:jwt:\w{8}\]\. So$/,
  );
});

describe('finds a known value that is wrapped', () => {
  const value = Array.from({ length: 40 }, (_, index) => `k${index}Zq${index * 7}`).join('');
  test.each([
    ['plain', value.replace(/.{64}/g, '$&\n  ')],
    ['in base64', btoa(`before it: ${value} and behind`).replace(/.{76}/g, '$&\r\n')],
  ])('%s', (_what, wrapped) => {
    for (const written of [`Cert:\n${wrapped}\nend`, JSON.stringify({ text: `Cert:\n${wrapped}\nend` })]) {
      const left = text(new CaptureRedactor([value]).apply(plantedFrame(written)).bytes);
      expect(left).toMatch(/\[redacted:given:\w{8}\]/);
      expect(left.length).toBeLessThan(100);
    }
  });
});

test('does not look for empty or short values', () => {
  const frame = plantedFrame('abc 12345678');
  expect(new CaptureRedactor(['abc', '', 'other-secret']).apply(frame)).toBe(frame);
});

function isJson(value: string): boolean {
  try {
    JSON.parse(value);
    return true;
  } catch {
    return false;
  }
}

test('fork() knows the same values and does not affect the original', () => {
  const redactor = new CaptureRedactor([]);
  const first = text(redactor.apply(plantedFrame('{"token":"ab-12-cd-34"}')).bytes);
  redactor.addMaskedSecrets(['ef-56-gh-78']);
  const again = redactor.fork();
  expect(text(again.apply(plantedFrame('{"token":"ab-12-cd-34"}')).bytes)).toBe(first);
  expect(text(again.apply(plantedFrame('said ef-56-gh-78')).bytes)).toMatch(/^said \[redacted:secret:/);
  again.apply(plantedFrame('-----BEGIN PRIVATE KEY-----'));
  const line = plantedFrame('MIIEvQIBADANBgkqhkiG9w0BAQEFAASC');
  expect(redactor.apply(line)).toBe(line);
});

test('values that are added are passed on', () => {
  const redactor = new CaptureRedactor(['first-given-value']);
  const other = new CaptureRedactor([]);
  redactor.tell(other);
  redactor.addGivenSecrets(['given-value-1234']);
  redactor.addMaskedSecrets(['masked-value-5678x']);
  const bytes = new TextEncoder().encode('first-given-value given-value-1234 masked-value-5678x');
  const text = new TextDecoder().decode(other.apply({ bytes }).bytes);
  expect(text).toContain('first-given-value');
  expect(text).not.toMatch(/ given-value|masked-value/);
});

test('decodes a large frame in pieces, once', () => {
  const large = 'all is well. '.repeat(400_000);
  const frame = plantedFrame(JSON.stringify({ text: large, password: 'c0rrect-h0rse-9Z' }));
  const redactor = new CaptureRedactor([]);
  const decode = vi.spyOn(TextDecoder.prototype, 'decode');
  const written = redactor.apply(frame).bytes;
  const sizes = decode.mock.calls.map(([bytes]) => bytes?.byteLength ?? 0);
  decode.mockRestore();
  expect(text(written.subarray(-60))).toContain('"password":"[redacted:');
  expect(Math.max(...sizes)).toBeLessThanOrEqual(64 * 1024);
  // Twice, with what tells that there is something to find.
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(2.1 * frame.bytes.length);
});
