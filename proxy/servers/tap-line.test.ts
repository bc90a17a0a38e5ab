import { describe, expect, test } from 'vitest';
import { readTapWords } from './tap-line';

describe('the words after tap', () => {
  test('name the server’s command, which keeps its own options', () => {
    expect(readTapWords(['--host', 'cursor', '--name=files', '--', 'npx', '--name', 'x', '--'])).toMatchObject({
      command: ['npx', '--name', 'x', '--'],
      host: 'cursor',
      name: 'files',
      records: true,
      mostBytes: 64_000_000,
      mostMs: 86_400_000,
    });
  });

  test('set when another file is begun, and turn recording off', () => {
    expect(readTapWords(['--rotate', 'size=2GB', '--rotate', 'age=12h', '--record', 'off', '--', 'a'])).toMatchObject({
      mostBytes: 2e9,
      mostMs: 43_200_000,
      records: false,
    });
  });

  test('turn telemetry on', () => {
    expect(readTapWords(['--otel', 'on', '--', 'a'])).toMatchObject({ otel: true, records: true });
    expect(readTapWords(['--', 'a'])).toMatchObject({ otel: false });
  });

  test.each([
    [['--otel', 'export=env', '--', 'a'], 'env'],
    [['--otel', 'export=http://h:4318', '--', 'a'], 'http://h:4318'],
    [['--otel=export=https://h', '--name', 'n', '--', 'a'], 'https://h'],
    [['--', 'a', '--otel=export'], undefined],
  ])('may name a receiver of spans: %j', (words, otlp) => expect(readTapWords(words)?.otlp).toBe(otlp));

  test('say where recordings are uploaded, and what is said of them', () => {
    const to = [
      '--to',
      's3://team/x',
      '--s3=endpoint=http://127.0.0.1:9000',
      '--s3',
      'tag=a',
      '--s3=tag=b',
      '--mask',
      'strict',
    ];
    expect(readTapWords([...to, '--', 'a'])?.upload).toEqual({
      to: 's3://team/x',
      endpoint: 'http://127.0.0.1:9000',
      tags: ['a', 'b'],
      mask: ['strict'],
    });
    expect(readTapWords(['--', 'a', '--to', 's3://team/x'])?.upload).toBeUndefined();
  });

  test.each([
    [['--otel=export=', '--', 'a']],
    [['--otel', 'export=env', '--record', 'off', '--', 'a']],
    [['--otel', 'on', '--record', 'off', '--', 'a']],
    [['--otel', 'off', '--', 'a']],
    [['--otel', '--', 'a']],
    [['--to', '--', 'a']],
    [['--strict', '--to', 's3://x', '--', 'a']],
    [['node', 'server.js']],
    [['--']],
    [['--help']],
    [['--host', '--', 'a']],
    [['--host', '--name', 'x', '--', 'a']],
    [['--rotate', 'size=0MB', '--', 'a']],
    [['--rotate', 'age=1y', '--', 'a']],
    [['--record=on', '--', 'a']],
    [['--nome', 'x', '--', 'a']],
    [['word', '--', 'a']],
  ])('are left to the grammar if they are wrong: %j', (words) => {
    expect(readTapWords(words)).toBeUndefined();
  });
});
