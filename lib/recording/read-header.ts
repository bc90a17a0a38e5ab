import { parseBounded } from '@/lib/json/parse';
import { isCount, isObject, own } from '@/lib/json/value';
import { isHostId } from '@/lib/wire/client-profile';
import { CHANNELS } from '@/lib/wire/frame';
import type { RecordingLacks, RecordingReport } from '@/lib/wire/recording-facts';
import { RecordingError } from './errors';
import type { RecordingHeader, RecordingSelection } from './format';

/** The validated content of a header. '' stands for a missing text. */
export interface HeaderFacts {
  /** Version of the format, possibly newer than ours. */
  readonly version: number;
  readonly id: string;
  /** ISO 8601. */
  readonly at: string;
  readonly by: string;
  /** `client` unless the header says otherwise. */
  readonly mode: RecordingHeader['mode'];
  /** Id of the host whose name the writer borrowed, if the header has a valid one. */
  readonly as?: string;
  readonly name: string;
  readonly transport: 'stdio' | 'auto' | 'http' | 'sse';
  /** The redaction policy. */
  readonly policy: string;
  /** The part of another recording that the file holds, if the header says so. */
  readonly selection?: RecordingSelection;
  /** The parts that the source lacked, if the header says so. */
  readonly lacks?: RecordingLacks;
}

const MODES = ['client', 'tap', 'import', 'check'] as const;
const TRANSPORTS = ['stdio', 'auto', 'http', 'sse'] as const;
/** Longest text taken from a header, in characters. */
const MOST_CHARACTERS = 300;

/** Reads the first line. Throws {@link RecordingError} `not-a-recording`. */
export function readHeader(line: Uint8Array | undefined): HeaderFacts {
  const header = line && parse(line);
  const version = isObject(header) ? own(header, 'mcpr') : undefined;
  if (!isObject(header) || !Number.isSafeInteger(version) || (version as number) < 0) {
    throw new RecordingError(
      'not-a-recording',
      'This file is not a recording: its first line is not a recording header.',
      'Choose a file ending in `.mcpr.jsonl`, `.mcpr.gz` or `.har`.',
    );
  }
  const text = (key: string): string => {
    const value = own(header, key);
    return typeof value === 'string' ? value.slice(0, MOST_CHARACTERS) : '';
  };
  const at = text('at');
  const redaction = own(header, 'redaction');
  const policy = isObject(redaction) ? own(redaction, 'policy') : undefined;
  const selection = readSelection(own(header, 'selection'));
  const lacks = readLacks(own(header, 'lacks'));
  const as = own(header, 'as');
  return {
    version: version as number,
    id: text('id'),
    at: Number.isNaN(Date.parse(at)) ? '' : new Date(at).toISOString(),
    by: text('by'),
    mode: MODES.find((known) => known === text('mode')) ?? 'client',
    ...(isHostId(as) && { as }),
    name: text('name'),
    transport: TRANSPORTS.find((known) => known === text('transport')) ?? 'auto',
    policy: typeof policy === 'string' ? policy.slice(0, MOST_CHARACTERS) : '',
    ...(selection && { selection }),
    ...(lacks && { lacks }),
  };
}

function readSelection(value: unknown): RecordingSelection | undefined {
  if (!isObject(value)) return undefined;
  const [of, from, to, also] = ['of', 'from', 'to', 'also'].map((key) => own(value, key));
  if (!isCount(of) || !isCount(from) || !isCount(to)) return undefined;
  const without = own(value, 'without');
  return {
    of,
    from,
    to,
    without: CHANNELS.filter((channel) => Array.isArray(without) && without.includes(channel)),
    ...(isCount(also) && { also }),
  };
}

function readLacks(value: unknown): RecordingLacks | undefined {
  if (!isObject(value)) return undefined;
  const [damaged, missing] = [own(value, 'damaged'), own(value, 'missing')];
  return lacksOf({
    ended: own(value, 'end') !== true,
    damaged: isCount(damaged) ? damaged : 0,
    missing: isCount(missing) ? missing : 0,
  });
}

function parse(line: Uint8Array): unknown {
  try {
    return parseBounded(new TextDecoder('utf-8', { fatal: true }).decode(line));
  } catch {
    return undefined;
  }
}

/**
 * Returns the parts that a recording lacks, including those that its source lacked; undefined for a complete recording.
 * Without a report, the recording was not read to its end.
 */
export function recordingLacks(
  report: RecordingReport | undefined,
  before?: RecordingLacks,
): RecordingLacks | undefined {
  return lacksOf({
    ended: report?.ended === true && before?.end !== true,
    damaged: (report?.damaged.count ?? 0) + (before?.damaged ?? 0),
    missing: (report?.missing ?? 0) + (before?.missing ?? 0),
  });
}

/** Lists what is missing; undefined if nothing is. */
function lacksOf({
  ended,
  damaged,
  missing,
}: {
  readonly ended: boolean;
  readonly damaged: number;
  readonly missing: number;
}): RecordingLacks | undefined {
  if (ended && damaged === 0 && missing === 0) return undefined;
  return { ...(!ended && { end: true }), ...(damaged > 0 && { damaged }), ...(missing > 0 && { missing }) };
}
