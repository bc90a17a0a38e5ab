import { expect, test } from 'vitest';
import { openTraffic } from './open-traffic';

const FILE = `{"mcpr":1,"id":"12345678","at":"2026-01-31T12:00:00.000Z","by":"x/1","mode":"client","name":"demo","transport":"stdio","redaction":{"policy":"capture/1"}}
{"n":1,"t":5,"c":"protocol","d":">","m":{"jsonrpc":"2.0","id":1,"method":"ping"}}
{"n":2,"t":9,"c":"protocol","d":"<","m":{"jsonrpc":"2.0","id":1,"result":{}}}
`;

const bytesOf = (text: string) => new Blob([text]).stream();

test('reads a file and reports its special cases', async () => {
  const { header, report, traffic, failure } = await openTraffic(bytesOf(`${FILE}{"n":3,"t":`));
  expect(header.name).toBe('demo');
  expect(report).toMatchObject({ frames: 2, torn: true, complete: false });
  expect(traffic.sent).toMatchObject([{ method: 'ping', time: 5, answer: { text: '{}', time: 9 } }]);
  expect(failure).toBeUndefined();
});

test('frames after a damaged line keep their numbers, without the HTTP exchange before it', async () => {
  const lines = FILE.split('\n');
  const http = `{"n":1,"t":1,"c":"http","d":">","m":{"kind":"request","exchange":1,"method":"POST","url":"http://localhost","headers":[],"bytes":1}}`;
  const moved = (line: string, n: number) => line.replace(/"n":\d/, `"n":${n}`);
  const text = [lines[0]!, http, '{"n":2,', moved(lines[1]!, 3), moved(lines[2]!, 6), ''].join('\n');
  const { traffic } = await openTraffic(bytesOf(text));
  expect(traffic.sent).toMatchObject([{ seq: 3, exchange: 0, answer: { seq: 6 } }]);
});

test('refuses a file that is not a recording', async () => {
  await expect(openTraffic(bytesOf('hello\n'))).rejects.toMatchObject({ code: 'not-a-recording' });
});

test('reads a message after a byte order mark', async () => {
  const text = FILE.replace(
    '"m":{"jsonrpc":"2.0","id":1,"result":{}}',
    '"text":"\uFEFF{\\"jsonrpc\\":\\"2.0\\",\\"id\\":1,\\"result\\":{}}"',
  );
  const { traffic } = await openTraffic(bytesOf(text));
  expect(traffic.sent).toMatchObject([{ method: 'ping', answer: { text: '{}', time: 9 } }]);
});

test('ignores reserved and unknown channels, whatever they say', async () => {
  const [header, ping, pong] = FILE.split('\n');
  const others = ['app', 'model', 'otel', 'llm', '__proto__'].flatMap((name, at) => [
    `{"n":${10 + 2 * at},"t":6,"c":"${name}","d":">","m":{"jsonrpc":"2.0","id":${at},"method":"tools/call"}}`,
    `{"n":${11 + 2 * at},"t":7,"c":"${name}","d":"<","m":{"jsonrpc":"2.0","id":1,"result":{"forged":true}}}`,
  ]);
  const text = [header, ping!.replace('"n":1', '"n":9'), ...others, pong!.replace('"n":2', '"n":20'), ''].join('\n');
  const { traffic, report } = await openTraffic(bytesOf(text));
  expect(report).toMatchObject({ frames: 12, damaged: { count: 0 } });
  expect(traffic.sent).toMatchObject([{ method: 'ping', answer: { text: '{}', seq: 20 } }]);
  expect(traffic.before).toEqual([]);
});
