import type { Channel, Direction, Frame } from '@/lib/wire/frame';
import type { Random } from './random';

/** Text of one frame, and its channel: `protocol` if none is given. */
export type Said = string | { readonly text: string; readonly channel: Channel; readonly direction?: Direction };

const encoder = new TextEncoder();

/** Returns the frames of a recording. */
export function framesOf(said: readonly Said[]): Frame[] {
  return said.map((one, at): Frame => {
    const {
      text,
      channel,
      direction = 'to-client',
    } = typeof one === 'string' ? { text: one, channel: 'protocol' as Channel } : one;
    return { seq: at + 1, time: at * 1000, direction, channel, flags: 0, bytes: encoder.encode(text) };
  });
}

const rpc = (rest: object) => JSON.stringify({ jsonrpc: '2.0', ...rest });

export const http = (frame: object): Said => ({ text: JSON.stringify({ exchange: 1, ...frame }), channel: 'http' });
export const stderr = (text: string): Said[] => text.split('\n').map((line) => ({ text: line, channel: 'stderr' }));

/** A request of the client. */
export const call = (name: string, args: unknown, id = 7): Said => ({
  text: rpc({ id, method: 'tools/call', params: { name, arguments: args } }),
  channel: 'protocol',
  direction: 'to-server',
});
export const result = (text: string, id = 7): Said => rpc({ id, result: { content: [{ type: 'text', text }] } });

/** Ways in which printed text gets into a recording. */
const PRINTED: readonly ((text: string, random: Random) => Said[])[] = [
  (text) => [result(text)],
  (text) => [result(text)],
  (text, random) => [
    rpc({ id: 3, result: { contents: [{ uri: `file:///srv/${random.word()}.txt`, mimeType: 'text/plain', text }] } }),
  ],
  (text) => stderr(text),
  (text) => [rpc({ id: 4, result: { content: [{ type: 'text', text: `Output:\n${text}\n` }], isError: false } })],
  (text, random) => [
    rpc({ method: 'notifications/message', params: { level: 'info', logger: random.word(), data: text } }),
  ],
  (text) => [call('write_file', { path: '/tmp/out.txt', content: text })],
  (text) => [
    rpc({ id: 5, result: { content: [{ type: 'text', text: JSON.stringify({ stdout: text, exitCode: 0 }) }] } }),
  ],
  (text) => [rpc({ id: 6, result: { structuredContent: { output: text }, content: [] } })],
];

const eachLine = (text: string, write: (line: string, at: number) => string) => text.split('\n').map(write).join('\n');
/** Lines of a log that say nothing. */
const noise = (random: Random) =>
  Array.from({ length: random.int(1, 4) }, () => `${random.time()} INFO ${random.words(random.int(3, 6))}`).join('\n');

/** Ways in which programs show text. */
const SHOWN: readonly ((text: string, random: Random) => string)[] = [
  (text, random) => {
    const file = `config/${random.word()}.${random.pick(['yml', 'conf', 'ts', 'py', 'txt'])}`;
    const first = random.int(1, 90);
    return eachLine(text, (line, at) => `${file}:${first + at}:${line}`);
  },
  (text) => eachLine(text, (line, at) => `${String(at + 1).padStart(6)}\t${line}`),
  (text) => eachLine(text, (line, at) => `${String(at + 1).padStart(3)} | ${line}`),
  (text) => `@@ -1,3 +1,4 @@\n context\n${eachLine(text, (line) => `+${line}`)}\n context`,
  (text, random) => eachLine(text, (line) => `${random.word()}-1  | ${line}`),
  (text, random) => eachLine(text, (line) => `${random.time()} ${line}`),
  (text, random) =>
    eachLine(text, (line) => `Mar 02 10:00:0${random.int(0, 9)} host node[${random.int(100, 999)}]: ${line}`),
  (text) => `\`\`\`\n${text}\n\`\`\``,
  (text, random) =>
    `Here is the ${random.word()} file:\n\n\`\`\`yaml\n${text}\n\`\`\`\n\nLet me know if you need more.`,
  (text) => eachLine(text, (line) => `> ${line}`),
  (text) => eachLine(text, (line) => `    ${line}`),
  (text) => text.replaceAll('\n', '\r\n'),
  (text, random) => `${noise(random)}\n${text}\n${noise(random)}`,
  (text) => `\u001b[2m${text}\u001b[0m`,
  (text, random) => `<details><summary>${random.word()}</summary>\n\n${text}\n\n</details>`,
  (text, random) => `$ cat /srv/${random.word()}.conf\n${text}\n$ `,
];

/** Puts printed text into frames, often as a program shows it. */
export function printed(text: string, random: Random): Said[] {
  return random.pick(PRINTED)(random.chance(0.4) ? random.pick(SHOWN)(text, random) : text, random);
}

/** Ways in which a JSON value gets into a recording. */
const STRUCTURED: readonly ((value: unknown, random: Random) => Said[])[] = [
  (value) => [rpc({ id: 8, result: { content: [{ type: 'text', text: JSON.stringify(value) }] } })],
  (value) => [rpc({ id: 8, result: { content: [{ type: 'text', text: JSON.stringify(value, null, 2) }] } })],
  (value) => [rpc({ id: 8, result: { structuredContent: { data: value }, content: [] } })],
  (value) => [call('apply_settings', { settings: value })],
  (value, random) => stderr(`${random.time()} INFO loaded ${JSON.stringify(value)}`),
  (value) => stderr(JSON.stringify(value)),
  (value) => [rpc({ method: 'notifications/message', params: { level: 'debug', data: value } })],
  (value) => [rpc({ id: 9, error: { code: -32000, message: 'Request failed', data: value } })],
  (value) => [result(`Response (200):\n\`\`\`json\n${JSON.stringify(value, null, 2)}\n\`\`\``)],
  (value) => [result(JSON.stringify({ body: JSON.stringify(value), status: 200 }))],
  (value, random) => [
    rpc({ id: 2, method: 'elicitation/create', params: { message: `Confirm ${random.word()}`, current: value } }),
  ],
];

/** Puts a JSON value into frames. */
export function structured(value: unknown, random: Random): Said[] {
  return random.pick(STRUCTURED)(value, random);
}
