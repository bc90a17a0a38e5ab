import type { UploadWords } from '@/features/recording-store';
import { UPLOADS } from '@/features/recording-stores';
import { DAY_MS } from '@/lib/recording/retention';

/** The settings of a tap on the command line. */
export interface TapLine {
  /** The server's own command and arguments. */
  readonly command: readonly string[];
  /** Name of the server. Absent: it is made from the command. */
  readonly name?: string | undefined;
  /** The program that starts the tap. */
  readonly host?: string | undefined;
  readonly records: boolean;
  /** The server sends its OpenTelemetry to the tap. */
  readonly otel: boolean;
  /** Bytes of messages after which another file is begun. */
  readonly mostBytes: number;
  /** Milliseconds after which another file is begun. */
  readonly mostMs: number;
  /** The receiver of spans: a URL, or `env`. Absent: none. */
  readonly otlp?: string | undefined;
  /** Files of rules, and one of how the host sees the tools, in force from the first message on. */
  readonly intercept: readonly string[];
  /** The bucket for recordings. */
  readonly upload?: UploadWords | undefined;
}

/** A file of this size opens at once, and a session that floods for days does not fill the folder of recordings. */
const MOST_BYTES = 64_000_000;

const UPLOAD_OPTIONS = UPLOADS?.options ?? [];
/** Options about uploads: those with a value, and the keys of the others. */
const NAMES = UPLOAD_OPTIONS.flatMap(({ name, keys }) => (keys ? [] : name));
const UPLOAD_KEYS = Object.fromEntries(
  UPLOAD_OPTIONS.flatMap(({ name, keys }) => (keys ? [[name, keys.map((key) => key.name)]] : [])),
);
/** Options of `tap` with a value, by name. */
const VALUES: ReadonlySet<string> = new Set(['name', 'host', 'record', 'intercept', ...NAMES]);
/** Options of `tap` whose values have keys. `on` takes no value. */
const KEYS: Readonly<Record<string, readonly string[]>> = {
  otel: ['on', 'export'],
  rotate: ['size', 'age'],
  ...UPLOAD_KEYS,
};

/**
 * Reads the words after `tap` without the grammar of all commands, because a host waits for the server. Returns
 * undefined for a line with a mistake, or that asks for help: the grammar explains it.
 */
export function readTapWords(words: readonly string[]): TapLine | undefined {
  const end = words.indexOf('--');
  if (end < 0) return undefined;
  const given = new Map<string, readonly string[]>();
  for (let at = 0; at < end; at++) {
    const [, name = '', inline] = /^--([a-z][a-z0-9-]*)(?:=(.*))?$/s.exec(words[at]!) ?? [];
    const value = inline ?? (at + 1 < end ? words[++at]! : '');
    if (value === '' || (inline === undefined && value.startsWith('-'))) return undefined;
    const [, key = '', keyed] = /^([a-z]+)(?:=(.+))?$/s.exec(value) ?? [];
    const isKey = Object.hasOwn(KEYS, name) && KEYS[name]!.includes(key) && (keyed === undefined) === (key === 'on');
    if (!isKey && !VALUES.has(name)) return undefined;
    const kept = isKey ? `${name}.${key}` : name;
    given.set(kept, [...(given.get(kept) ?? []), isKey ? (keyed ?? '') : value]);
  }
  return tapLine((name) => given.get(name), words.slice(end + 1));
}

/** Makes a line from the values of options, '' for a switch; undefined if one is invalid or the command is missing. */
export function tapLine(
  values: (name: string) => readonly string[] | undefined,
  command: readonly string[],
): TapLine | undefined {
  const value = (name: string): string | undefined => values(name)?.at(-1);
  const [size, age, otlp, record] = [value('rotate.size'), value('rotate.age'), value('otel.export'), value('record')];
  const mostBytes = size === undefined ? MOST_BYTES : bytesIn(size);
  const mostMs = age === undefined ? DAY_MS : msIn(age);
  const [otel, records] = [value('otel.on') !== undefined, record === undefined];
  if (
    (!records && (record !== 'off' || otel || otlp !== undefined)) ||
    command.length === 0 ||
    mostBytes === undefined ||
    mostMs === undefined
  )
    return undefined;
  return {
    command,
    name: value('name'),
    host: value('host'),
    records,
    otlp,
    otel,
    mostBytes,
    mostMs,
    intercept: values('intercept') ?? [],
    upload: UPLOADS?.read(values),
  };
}

const UNITS: Readonly<Record<string, number>> = { KB: 1e3, MB: 1e6, GB: 1e9, m: 60_000, h: 3_600_000, d: DAY_MS };

/** Reads a size such as `64MB`; undefined if it is invalid. */
export function bytesIn(text: string): number | undefined {
  return amount(/^([1-9]\d{0,5})(KB|MB|GB)$/.exec(text));
}

/** Reads an age such as `12h`; undefined if it is invalid. */
export function msIn(text: string): number | undefined {
  return amount(/^([1-9]\d{0,3})(m|h|d)$/.exec(text));
}

function amount(match: RegExpExecArray | null): number | undefined {
  return match ? Number(match[1]) * UNITS[match[2]!]! : undefined;
}
