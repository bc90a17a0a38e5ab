import { gzipSync } from 'node:zlib';
import { isObject } from '@/lib/json/value';

/** Returns numbers from 0 to 1. */
type Random = () => number;

/** A hostile file, and how it was made. */
export interface Mutation {
  readonly how: string;
  readonly bytes: Buffer;
}

/** Values as JSON text. `JSON.stringify` would not write some of them. */
const VALUES: readonly (readonly [how: string, json: string])[] = [
  ...[
    'null',
    'true',
    '0',
    '-1',
    '1.5',
    '1e308',
    '-1e308',
    '1e400',
    '9007199254740993',
    '99999999999999',
    '""',
    '[]',
    '{}',
  ].map((json) => [json, json] as const),
  ...[
    '__proto__',
    'constructor',
    'toString',
    '9999-99-99T99:99:99.999Z',
    '2026-02-30T25:61:61.000Z',
    '+275760-09-13T00:00:00.001Z',
    '-271821-04-19T23:59:59.999Z',
    '0000-00-00',
    '../../etc/passwd',
    'a\u0000b\u202e\u001b[2J',
    'javascript:ran=1',
    'http://[::1',
    '\ud800',
    '1',
    '-5',
    'NaN',
  ].map((text) => [JSON.stringify(text), JSON.stringify(text)] as const),
  ['a long text', JSON.stringify('x'.repeat(70_000))],
  ['deep lists', '['.repeat(3000) + ']'.repeat(3000)],
  ['deep objects', `${'{"a":'.repeat(300)}1${'}'.repeat(300)}`],
  ['keys of prototypes', '{"__proto__":{"name":"x"},"constructor":{"prototype":1},"hasOwnProperty":1,"toString":null}'],
  ['a list of everything', '[null,1,"x",{},[],true]'],
  ['an object that looks like a list', '{"length":4294967295,"0":1}'],
  ['a cut text', '"abc'],
  ['no JSON', 'NaN'],
];

type Line = Buffer;
type MutateLines = (lines: Line[], random: Random) => string;

const pick = <T>(all: readonly T[], random: Random): T => all[Math.floor(random() * all.length)]!;
const place = (length: number, random: Random): number => Math.floor(random() * length);

/** Changes of whole lines. Each returns what it did. */
const OF_LINES: readonly MutateLines[] = [
  (lines, random) => {
    const [at] = [place(lines.length, random)];
    lines.splice(at, 1);
    return `without line ${at + 1}`;
  },
  (lines, random) => {
    const [at, to] = [place(lines.length, random), place(lines.length, random)];
    lines.splice(to, 0, lines[at]!);
    return `line ${at + 1} twice, again at ${to + 1}`;
  },
  (lines, random) => {
    const [at, to] = [place(lines.length, random), place(lines.length, random)];
    [lines[at], lines[to]] = [lines[to]!, lines[at]!];
    return `lines ${at + 1} and ${to + 1} swapped`;
  },
  (lines, random) => {
    const at = place(lines.length, random);
    [lines[0], lines[at]] = [lines[at]!, lines[0]!];
    return `the header at line ${at + 1}`;
  },
  (lines, random) => {
    const at = place(lines.length, random);
    lines[at] = lines[at]!.subarray(0, place(lines[at]!.length, random));
    return `line ${at + 1} torn`;
  },
  (lines, random) => {
    const at = place(lines.length - 1, random);
    lines.splice(at, 2, Buffer.concat([lines[at]!.subarray(0, -1), lines[at + 1] ?? Buffer.alloc(0)]));
    return `no line feed after line ${at + 1}`;
  },
  (lines, random) => {
    const at = place(lines.length, random);
    lines.splice(at, 0, Buffer.from(`{"n":${at},"t":1,"c":"protocol","d":"<","m":${'['.repeat(100_000)}}\n`));
    return `deep JSON at line ${at + 1}`;
  },
  (lines, random) => {
    lines.splice(1 + place(lines.length - 1, random), 0, lines[0]!);
    return 'a second header';
  },
  (lines) => {
    lines.splice(1, 0, lines.pop()!);
    return 'the end after the header';
  },
  (lines, random) => {
    lines.sort(() => random() - 0.5);
    return 'lines in any order';
  },
  (lines) => {
    lines.splice(1);
    return 'the header alone';
  },
];

/** Puts a wrong value, or a wrong key, anywhere in a line. Favours the lines that say what the recording is. */
const inLine: MutateLines = (lines, random) => {
  const notes = lines.flatMap((line, at) =>
    line.includes('"k":') || line.includes('"lifecycle"') || at === 0 ? [at] : [],
  );
  const at = random() < 0.4 ? pick(notes, random) : place(lines.length, random);
  const [how, json] = pick(VALUES, random);
  let line: unknown;
  try {
    line = JSON.parse(lines[at]!.toString());
  } catch {
    return 'a line that was damaged before';
  }
  const places: (readonly [holder: Record<string, unknown>, key: string, path: string])[] = [];
  const walk = (value: unknown, path: string): void => {
    if (typeof value !== 'object' || value === null) return;
    for (const key of Object.keys(value)) {
      places.push([value as Record<string, unknown>, key, `${path}.${key}`.slice(0, 60)]);
      walk((value as Record<string, unknown>)[key], `${path}.${key}`);
    }
  };
  walk(line, '');
  if (places.length === 0) return 'an empty line';
  const [holder, key, path] = pick(places, random);
  const HOLE = '\u0001hole';
  const renames = isObject(holder) && random() < 0.1;
  if (renames) {
    holder[pick(['n', 'k', 'c', 'id', 'method', 'result', 'error', 'params', HOLE], random)] = holder[key];
    delete holder[key];
  } else holder[key] = HOLE;
  const text = JSON.stringify(line).replace(JSON.stringify(HOLE), () => (renames ? '"__proto__"' : json));
  lines[at] = Buffer.from(`${text}\n`);
  return renames ? `line ${at + 1}: another key for ${path}` : `line ${at + 1}: ${path} = ${how.slice(0, 40)}`;
};

/** Changes of the bytes of a file. */
const OF_BYTES: readonly ((bytes: Buffer, random: Random) => Mutation)[] = [
  (bytes, random) => {
    const to = place(bytes.length, random);
    return { how: `cut after ${to} bytes`, bytes: bytes.subarray(0, to) };
  },
  (bytes, random) => {
    const changed = Buffer.from(bytes);
    const count = 1 + place(20, random);
    for (let n = 0; n < count; n++) changed[place(bytes.length, random)] = place(256, random);
    return { how: `${count} random bytes`, bytes: changed };
  },
  (bytes, random) => {
    const [from, to] = [place(bytes.length, random), place(bytes.length, random)].sort((a, b) => a - b) as [
      number,
      number,
    ];
    return {
      how: `without bytes ${from} to ${to}`,
      bytes: Buffer.concat([bytes.subarray(0, from), bytes.subarray(to)]),
    };
  },
  (bytes, random) => {
    const at = place(bytes.length, random);
    const zeros = Buffer.alloc(1 + place(5000, random), pick([0, 0xff, 0x20, 0x0a, 0x5b], random));
    return {
      how: `${zeros.length} bytes ${zeros[0]} at ${at}`,
      bytes: Buffer.concat([bytes.subarray(0, at), zeros, bytes.subarray(at)]),
    };
  },
  (bytes) => ({ how: 'UTF-16', bytes: Buffer.from(`\ufeff${bytes.toString()}`, 'utf16le') }),
  (bytes) => ({ how: 'a byte order mark', bytes: Buffer.concat([Buffer.from('\ufeff'), bytes]) }),
  (bytes) => ({ how: 'carriage returns alone', bytes: Buffer.from(bytes.toString().replaceAll('\n', '\r')) }),
  (bytes) => ({ how: 'twice', bytes: Buffer.concat([bytes, bytes]) }),
  (bytes) => ({ how: 'the start of a zip', bytes: Buffer.concat([Buffer.from('PK\u0003\u0004'), bytes]) }),
];

/** Changes of a gzipped file. */
const OF_GZIP: readonly ((bytes: Buffer, random: Random) => Mutation)[] = [
  ...OF_BYTES.slice(0, 4),
  (bytes) => {
    const changed = Buffer.from(bytes);
    changed.writeUInt32LE(0xffffffff, changed.length - 4);
    return { how: 'a wrong length at the end', bytes: changed };
  },
  (bytes) => ({ how: 'gzipped again', bytes: gzipSync(bytes) }),
  (bytes) => ({ how: 'the head of gzip alone', bytes: bytes.subarray(0, 10) }),
  (bytes) => ({ how: 'twice', bytes: Buffer.concat([bytes, bytes]) }),
];

/** Returns a hostile file made from a good recording. The same `random` makes the same file. */
export function mutated(good: Buffer, random: Random): Mutation {
  const [way, isZipped] = [random(), random() < 0.2];
  const done: string[] = [];
  let bytes = good;
  if (way < 0.7) {
    const lines = linesOf(good);
    const times = 1 + place(3, random);
    for (let n = 0; n < times && lines.length > 0; n++)
      done.push(way < 0.5 ? inLine(lines, random) : pick(OF_LINES, random)(lines, random));
    bytes = Buffer.concat(lines);
  }
  if (isZipped) bytes = gzipSync(bytes);
  if (way >= 0.7 || isZipped) {
    const changed = pick(isZipped ? OF_GZIP : OF_BYTES, random)(bytes, random);
    return { how: [...done, isZipped ? `gzip: ${changed.how}` : changed.how].join('; '), bytes: changed.bytes };
  }
  return { how: done.join('; '), bytes };
}

function linesOf(bytes: Buffer): Line[] {
  const lines: Line[] = [];
  for (let at = 0; at < bytes.length; ) {
    const end = bytes.indexOf(10, at) + 1 || bytes.length;
    lines.push(bytes.subarray(at, end));
    at = end;
  }
  return lines;
}
