import { type JsonObject, own } from '@/lib/json/value';
import type { Channel } from '@/lib/wire/frame';
import type { RecordingLacks } from '@/lib/wire/recording-facts';

/** Version of the format, as `docs/recording-format.md` describes it. A reader refuses a newer one. */
export const RECORDING_VERSION = 1;

/** First line of a recording. */
export interface RecordingHeader {
  /** {@link RECORDING_VERSION}; being the first key, it tells the kind of file too. */
  readonly mcpr: number;
  /** Lower-case letters, digits and hyphens. */
  readonly id: string;
  /** ISO 8601: what all times count from, and the one wall-clock time of the file. */
  readonly at: string;
  /** Who wrote it: `mcp-inspect/0.1.0`. */
  readonly by: string;
  /** How it was made: the writer was the `client`, or made it from a file of another kind (`import`). */
  readonly mode: 'client' | 'import';
  /** What the server is called. */
  readonly name: string;
  readonly transport: 'stdio' | 'auto' | 'http' | 'sse';
  /** What was taken out while it was written. */
  readonly redaction: { readonly policy: string };
  /** It holds a part of another recording. */
  readonly selection?: RecordingSelection;
  /** It was made from one that lacked something. */
  readonly lacks?: RecordingLacks;
}

/** What of a recording a part of it holds. The frames of the part are numbered anew, so nothing is missing in it. */
export interface RecordingSelection {
  /** How many frames the whole has. */
  readonly of: number;
  /** Frames of the whole that it begins and ends with; what happened to the connection is in it besides. */
  readonly from: number;
  readonly to: number;
  /** Channels left out. */
  readonly without: readonly Channel[];
  /** How many frames outside of them are in it besides: the handshake, and what makes exchanges at its edges whole. */
  readonly also?: number;
}

/** What a frame's line has besides its content. The keys are short since there is one of them in each line. */
export interface RecordedFrame {
  /** Number, from 1, gapless. */
  readonly n: number;
  /** Microseconds since the header's `at`; never less than the line before. */
  readonly t: number;
  readonly c: Channel;
  /** `>` to the server, `<` to the client. */
  readonly d: '>' | '<';
  /** Bits of FLAG in wire/frame; absent: 0. */
  readonly f?: number;
  /** What was cut out of it, in order. */
  readonly blobs?: readonly BlobPlace[];
}

/** Where in a frame's JSON, in bytes of what is left of it, a blob was, and which. */
export type BlobPlace = readonly [at: number, name: string];

/** Last line of a complete recording. Without it, the writer did not come to its end. */
export interface RecordingEnd {
  readonly k: 'end';
  readonly t: number;
  readonly frames: number;
  /** How many of them are notes, or about the whole: nothing happened in them. Absent: none. */
  readonly notes?: number;
  /** Hex digest of all bytes of the file before this line. Absent in links, which have to be short. */
  readonly sha256?: string;
  /** How many values that were taken out were not looked for to the end: more than `LIMITS.redactedValues` came. Absent: all were. */
  readonly forgotten?: number;
  /** What the newest `about` frame says, so that a list need not look for it. */
  readonly about?: { readonly name: string; readonly text: string };
  /** Where its indexes are, oldest first: places of the first byte of their lines, and how long those are. */
  readonly index?: readonly IndexPlace[];
}

export type IndexPlace = readonly [at: number, bytes: number];

/** What a reader may go by instead of reading the frames before it, back to the last line of this kind. It can be left out. */
export interface RecordingIndex {
  readonly k: 'index';
  /** How `data` is made. */
  readonly v: number;
  /** Number of its first frame, and how many there are. */
  readonly n: number;
  readonly frames: number;
  /** See docs/recording-format.md. */
  readonly data: string;
}

/** One step for each version that was: turns what a line of it tells, but for its content, into the next version's. */
const UPGRADES: readonly ((line: JsonObject) => JsonObject)[] = [
  // 0, of the drafts: milliseconds, and directions in words.
  (line) => {
    const time = own(line, 't');
    const direction = own(line, 'd');
    return {
      ...line,
      ...(typeof time === 'number' && { t: Math.round(time * 1000) }),
      ...(direction === 'to-server' && { d: '>' }),
      ...(direction === 'to-client' && { d: '<' }),
    };
  },
];

/** A line of any version as the present one has it. One of a newer version comes back as it is. */
export function upgradeLine(line: JsonObject, version: number): JsonObject {
  let next = line;
  for (let from = version; from < RECORDING_VERSION; from++) next = UPGRADES[from]!(next);
  return next;
}
