import { expect, test } from 'vitest';
import { LIMITS } from '@/lib/wire/limits';
import { stderrWords } from './stderr-words';
import { complained } from './test-frames';

const words = (text: string) => stderrWords(complained(text).bytes);

test.each([
  ['{"level":30,"time":1,"pid":2,"hostname":"h","msg":"Server started"}', 'info: Server started'],
  ['{"level":50,"name":"http","msg":"boom","err":{"msg":"inner"}}', 'error http: boom'],
  ['{"message":"up","level":"warn"}', 'warn: up'],
  ['{"levelname":"INFO","message":"two\\nlines"}', 'INFO: two lines'],
  ['{"event":"ready"}', 'ready'],
  ['{"level":30,"msg":"\\u001b[36mblue\\u001b[0m"}', 'info: blue'],
  ['\u001b[31m{"level":60,"msg":"x"}\u001b[0m', 'fatal: x'],
])('%s says %s', (line, said) => {
  expect(words(line)).toBe(said);
});

test('a message behind a long object is found, one cut off is shown as far as it goes', () => {
  const long = JSON.stringify({ level: 40, req: 'x'.repeat(1000), msg: 'late' });
  expect(words(long)).toBe('warn: late');
  expect(words(JSON.stringify({ level: 40, msg: 'y'.repeat(2 * LIMITS.loggedBytes) }))).toMatch(/^warn: y+…$/);
});

test.each([
  ['{"level":30}', '{"level":30}'],
  ['{not json', '{not json'],
  ['[1]', '[1]'],
  ['\u001b[31mERROR\u001b[0m at foo', 'ERROR at foo'],
  ['\u001b[0m\n  second', 'second'],
])('%j stays text', (line, said) => {
  expect(words(line)).toBe(said);
});
