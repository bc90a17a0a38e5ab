/** The result of reading a recording. */
export interface RecordingReport {
  readonly frames: number;
  /** seq of the last frame, counting missing ones. */
  readonly last: number;
  /** Unreadable lines: their number, and the first line numbers, counting the header as 1. */
  readonly damaged: { readonly count: number; readonly lines: readonly number[] };
  /** Damaged lines that refer to text missing from the file. */
  readonly withoutBlob: number;
  /** Gaps in the numbers of frames, not counting damaged lines. */
  readonly missing: number;
  /** From this seq on, numbers are lower than in the file, because more than `LIMITS.missingFrames` are missing. */
  readonly renumberedFrom?: number;
  /** Lines of a kind unknown to this version. */
  readonly unknown: number;
  /** Places where a value was masked. */
  readonly masked: number;
  /** Masked values that the recorder had to forget. Later repetitions may be unmasked. */
  readonly forgotten?: number;
  /** Secrets whose name came later, so that they stayed in the recording. */
  readonly early?: readonly EarlyPlace[];
  /** The part in which the recorder did not look for such secrets; `rest`: beyond the first 64 MiB. */
  readonly unlooked?: 'all' | 'rest';
  /** The last line was cut off. */
  readonly torn: boolean;
  /** The last line is an end line. */
  readonly ended: boolean;
  /** The recording has an end line, and every frame that this line declares. */
  readonly complete: boolean;
  /** The digest in an end line does not match the bytes before that line, as far as they were checked. */
  readonly changed: boolean;
}

/** A place in a frame: its number, and the offsets of the first byte and of the one after the last. */
export type EarlyPlace = readonly [seq: number, from: number, to: number];

/** Gaps in the source: the recording that this one was made from. */
export interface RecordingLacks {
  /** The source had no end line. */
  readonly end?: true;
  /** Unreadable lines. */
  readonly damaged?: number;
  /** Missing frames, not counting unreadable lines. */
  readonly missing?: number;
}

/** The part of a recording that was selected. */
export interface SelectionFacts {
  /** Frames of the whole recording. */
  readonly of: number;
  /** First and last frame of the part, without lifecycle frames. */
  readonly from: number;
  readonly to: number;
  /** Channels left out. */
  readonly without: readonly string[];
  /** Frames from outside that range, kept to complete exchanges, the handshake and the newest lists. */
  readonly also?: number;
}

/** How far a file is read, in bytes of the file. */
export interface ReadingProgress {
  readonly done: number;
  readonly of: number;
}

/** A session between another client and a server, which a tap records. */
export interface TapFacts {
  /** The client's program, as the tap's command line names it. */
  readonly host?: string;
  /** The tap runs, and the log grows. */
  readonly live?: true;
  /** The tap runs, but has stopped recording. */
  readonly unrecorded?: true;
}

/** Facts of a connection that shows a recording. */
export interface RecordingFacts {
  /** Name of the file. */
  readonly file: string;
  /** Id in its header, which frames of a chat name. Absent for other formats. */
  readonly id?: string;
  /** The host that it was fetched from. */
  readonly from?: string;
  /** Opened by its index. Only lines that are shown are fetched, and compared with the index. */
  readonly inParts?: true;
  /** Present while reading waits for a person: frames of the whole recording, and bytes of index that are left. */
  readonly waiting?: { readonly frames: number; readonly bytes: number };
  /** Why the last part of it could not be fetched, in two sentences. */
  readonly unfetched?: string;
  /** Name that the user gave it. */
  readonly called?: string;
  /** Program and version that wrote the file; '' if unknown. */
  readonly by: string;
  /** Set if a tap ran when the recording was opened. */
  readonly tap?: TapFacts;
  /** Converted from another format, such as HTTP Archive. */
  readonly imported?: true;
  /** Present if this recording is a part of another one. */
  readonly selection?: SelectionFacts;
  /** Policy that masked secrets, such as `capture/2`; '' if unknown. */
  readonly policy?: string;
  /** Gaps in the recording that this one was made from. */
  readonly lacks?: RecordingLacks;
  /** Present while the log is being filled from the file. */
  readonly reading?: ReadingProgress;
  /** Absent until the file has been read. */
  readonly report?: RecordingReport;
  /** Opened with its indexes, which are still being checked against the lines. */
  readonly checking?: true;
  /** The indexes did not match the lines and were ignored. */
  readonly indexIgnored?: true;
  /** Why new notes could not be saved in the file, in two sentences. */
  readonly unsaved?: string;
  /** Why the reading ended early. */
  readonly failure?: string;
}
