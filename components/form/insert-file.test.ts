import { expect, test } from 'vitest';
import { fileText } from './insert-file';

const bytes = Uint8Array.from({ length: 100_001 }, (_, index) => index % 251);
const file = new File([bytes], 'päper 1.bin', { type: '' });

test('encodes bytes as base64', async () => {
  expect(Buffer.from(await fileText(file, 'base64'), 'base64').equals(Buffer.from(bytes))).toBe(true);
});

test('a data URI has type and name', async () => {
  expect(await fileText(new File(['hi'], 'a b.txt', { type: 'text/plain' }), 'data-uri')).toBe(
    'data:text/plain;name=a%20b.txt;base64,aGk=',
  );
  expect(await fileText(file, 'data-uri')).toMatch(/^data:application\/octet-stream;name=p%C3%A4per%201\.bin;base64,/);
});

test('returns text unchanged', async () => {
  expect(await fileText(new File(['zwei\nZeilen'], 't'), 'text')).toBe('zwei\nZeilen');
});
