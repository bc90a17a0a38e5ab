/** Prefixes of the objects, below the prefix of the address. */
export const RECORDINGS = 'recordings/v1/';
export const SUMMARIES = 'summaries/v1/';

const RECORDING_END = '.mcpr.jsonl';
const SUMMARY_END = '.json';

/** A recording in the bucket, as its keys name it. */
export interface RecordingKey {
  /** Start of the recording in UTC: `2026-11-26`. */
  readonly day: string;
  /** Hex digest of the recording's bytes. */
  readonly sha256: string;
}

/** Returns the key of a recording, below the prefix. */
export function recordingKey(of: RecordingKey): string {
  return `${RECORDINGS}${dayPath(of.day)}${of.sha256}${RECORDING_END}`;
}

/** Returns the key of its summary. It is written last, so what it names is there. */
export function summaryKey(of: RecordingKey): string {
  return `${SUMMARIES}${dayPath(of.day)}${of.sha256}${SUMMARY_END}`;
}

/** Returns what the keys of a day's summaries begin with. Keys sort by day, so later ones sort after it. */
export function summariesOfDay(day: string): string {
  return `${SUMMARIES}${dayPath(day)}`;
}

const KEY = /^(?:recordings|summaries)\/v1\/(\d{4})\/(\d\d)\/(\d\d)\/([0-9a-f]{64})(\.mcpr\.jsonl|\.json)$/;

/** Reads a key of either kind, below the prefix. Returns undefined for another object, or if its day does not exist. */
export function readKey(key: string): RecordingKey | undefined {
  const [, year, month, date, sha256, end] = KEY.exec(key) ?? [];
  if (sha256 === undefined || key.startsWith(RECORDINGS) !== (end === RECORDING_END)) return undefined;
  const day = `${year}-${month}-${date}`;
  return isDay(day) ? { day, sha256 } : undefined;
}

const FIRST_DAY = '1970-01-01';

/** Returns true for a day that exists, from 1970 on. A clock that is wrong can date a recording years ahead. */
export function isDay(text: string): boolean {
  const time = Date.parse(`${text}T00:00:00.000Z`);
  return /^\d{4}-/.test(text) && time >= 0 && new Date(time).toISOString().slice(0, 10) === text;
}

/** Returns the day of a moment in UTC. An unreadable time has the first day of Unix. */
export function dayOf(at: string): string {
  const time = Date.parse(at);
  const day = Number.isNaN(time) ? FIRST_DAY : new Date(time).toISOString().slice(0, 10);
  return isDay(day) ? day : FIRST_DAY;
}

function dayPath(day: string): string {
  return `${day.replaceAll('-', '/')}/`;
}
