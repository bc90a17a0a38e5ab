import { type JsonObject, own } from '@/lib/json/value';
import type { Channel } from '@/lib/wire/frame';
import type { EarlyPlace, RecordingLacks } from '@/lib/wire/recording-facts';

/** Version of the format that `docs/recording-format.md` describes. A reader refuses a newer one. */
export const RECORDING_VERSION = 2;

/** First line of a recording. */
export interface RecordingHeader {
  /** {@link RECORDING_VERSION}. As the first key it also identifies the kind of file. */
  readonly mcpr: number;
  /** Lower-case letters, digits and hyphens. */
  readonly id: string;
  /** ISO 8601. All times count from here; no other line has a wall-clock time. */
  readonly at: string;
  /** The program that wrote the file, for example `mcp-inspect/0.1.0`. */
  readonly by: string;
  /**
   * `client`: the writer was the client. `tap`: it passed the bytes between another client and the server. `import`: it
   * converted a file of another kind. `check`: the writer was `check`, which sends wrong requests on purpose.
   */
  readonly mode: 'client' | 'tap' | 'import' | 'check';
  /** Id of the host as which the writer connected: the name in the handshake is borrowed. */
  readonly as?: string;
  /** Name of the server. */
  readonly name: string;
  readonly transport: 'stdio' | 'auto' | 'http' | 'sse';
  /** The policy by which secrets were removed while recording. */
  readonly redaction: { readonly policy: string };
  /** Present if the file holds a part of another recording. */
  readonly selection?: RecordingSelection;
  /** Present if the file was made from an incomplete recording. */
  readonly lacks?: RecordingLacks;
}

/** The part of another recording that a file holds. Its frames are numbered from 1 again, so none is missing. */
export interface RecordingSelection {
  /** Number of frames in the whole recording. */
  readonly of: number;
  /**
   * First and last frame of the part, as numbered in the whole. Lifecycle frames outside the range are included too.
   */
  readonly from: number;
  readonly to: number;
  /** Channels left out. */
  readonly without: readonly Channel[];
  /** Number of included frames outside the range: the handshake, and the rest of exchanges that the range cuts. */
  readonly also?: number;
}

/** A frame's line without its content. Keys are short because every line repeats them. */
export interface RecordedFrame {
  /** Number, from 1, without gaps. */
  readonly n: number;
  /** Microseconds since the header's `at`. Never less than in the line before. */
  readonly t: number;
  readonly c: Channel;
  /** `>` to the server, `<` to the client. */
  readonly d: '>' | '<';
  /** Bits of FLAG in wire/frame; 0 if absent. */
  readonly f?: number;
  /** The blobs cut out of the frame, in order. */
  readonly blobs?: readonly BlobPlace[];
}

/** Byte offset in the remaining JSON where a blob was cut out, and the blob's name. */
export type BlobPlace = readonly [at: number, name: string];

/** Last line of a complete recording. Without it, the writer was cut off. */
export interface RecordingEnd {
  readonly k: 'end';
  readonly t: number;
  readonly frames: number;
  /** Number of frames that people added: notes, and descriptions of the recording. Absent: none. */
  readonly notes?: number;
  /** Hex digest of all bytes before this line. Absent in links, which have to be short. */
  readonly sha256?: string;
  /**
   * Number of removed values that the redactor later forgot, because it remembers a limited number. Later repetitions
   * of these values stay visible. Absent: none.
   */
  readonly forgotten?: number;
  /**
   * Places of secrets whose name came later, so that they were written. Sharing removes them. Absent: none is known.
   */
  readonly early?: readonly EarlyPlace[];
  /** Content of the newest `about` frame, so that a list of recordings need not search for the frame. */
  readonly about?: { readonly name: string; readonly text: string };
  /** Offset and length of each index line, oldest first. */
  readonly index?: readonly IndexPlace[];
}

export type IndexPlace = readonly [at: number, bytes: number];

/** An optional index of the frames since the previous index line. A reader can use it instead of the frames' lines. */
export interface RecordingIndex {
  readonly k: 'index';
  /** Version of the encoding of `data`. */
  readonly v: number;
  /** Number of the first frame, and how many frames it covers. */
  readonly n: number;
  readonly frames: number;
  /** Encoded as docs/recording-format.md describes. */
  readonly data: string;
}

/** One step per earlier version: converts a line, without its content, to the next version. */
const UPGRADES: readonly ((line: JsonObject) => JsonObject)[] = [
  // Version 0, from the drafts, had milliseconds and direction names.
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
  // Version 1 has the same lines. Its readers took frames of unknown channels for missing ones.
  (line) => line,
];

/** Returns true if lines of this version look like ours, so that indexes fit and notes can be added to the file. */
export function hasCurrentLines(version: number): boolean {
  return version >= 1 && version <= RECORDING_VERSION;
}

/** Converts a line of any version to the current one. */
export function upgradeLine(line: JsonObject, version: number): JsonObject {
  let next = line;
  for (let from = version; from < RECORDING_VERSION; from++) next = UPGRADES[from]!(next);
  return next;
}
