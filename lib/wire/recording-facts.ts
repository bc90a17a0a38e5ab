/** What a recording turned out to be, besides its frames. */
export interface RecordingReport {
  readonly frames: number;
  /** seq of the last one in a log of it, where missing ones have places as well. */
  readonly last: number;
  /** Lines that can't be read: how many, and the numbers of the first, counted from 1, the header. */
  readonly damaged: { readonly count: number; readonly lines: readonly number[] };
  /** Of the damaged lines, those that can't be read since what they refer to is not in the file. */
  readonly withoutBlob: number;
  /** Frames that the numbers leave out, besides damaged lines. */
  readonly missing: number;
  /** From this one on, frames have lower numbers than in the file, since more are missing than `LIMITS.missingFrames`. Absent: none have. */
  readonly renumberedFrom?: number;
  /** Lines of a kind that this version does not know. */
  readonly unknown: number;
  /** Places of its frames where something was taken out. */
  readonly masked: number;
  /** How many values that were taken out were forgotten while it was written: where they are repeated later, they may stay. Absent: none. */
  readonly forgotten?: number;
  /** The last line was cut off. */
  readonly torn: boolean;
  /** The last line is an end: the writer came to it. */
  readonly ended: boolean;
  /** It is ended, and every frame that its end tells of is here. */
  readonly complete: boolean;
  /** An end line vouches for other bytes than those before it, as far as that was looked at. */
  readonly changed: boolean;
}

/** What the recording lacked that this one was made from; what is absent, it did not lack. */
export interface RecordingLacks {
  /** Its writer did not come to its end. */
  readonly end?: true;
  /** Lines that could not be read. */
  readonly damaged?: number;
  /** Frames that its numbers left out, besides. */
  readonly missing?: number;
}

/** What of a recording a part of it holds. */
export interface SelectionFacts {
  /** How many frames the whole has. */
  readonly of: number;
  /** Which of them the part begins and ends with, what happened to the connection apart. */
  readonly from: number;
  readonly to: number;
  /** Channels left out. */
  readonly without: readonly string[];
  /** How many frames outside of them are in it, to keep exchanges and the handshake whole, and the newest lists. */
  readonly also?: number;
}

/** Of a connection that is a recording: nobody is there to be spoken to. */
export interface RecordingFacts {
  /** Name of the file. */
  readonly file: string;
  /** What a person called it. Absent: nobody did. */
  readonly called?: string;
  /** Program and version that wrote it; '' if it does not say. */
  readonly by: string;
  /** It was made from a file of another kind, an HTTP Archive say. */
  readonly imported?: true;
  /** It is a part of another one. */
  readonly selection?: SelectionFacts;
  /** By what secrets were taken out, as `capture/2`; '' if it does not say. */
  readonly policy?: string;
  /** It was made from one that lacked something. */
  readonly lacks?: RecordingLacks;
  /** Version of its format, if that is newer than ours. */
  readonly newer?: number;
  /** Absent while it is being read. */
  readonly report?: RecordingReport;
  /** All of it is here by its indexes, and its lines are being held against them. */
  readonly checking?: true;
  /** Its indexes do not fit its lines, so it was read without them. */
  readonly indexIgnored?: true;
  /** Why notes of this opening are not in the file, if there are any that are not: two sentences. */
  readonly unsaved?: string;
  /** Why the reading ended early. */
  readonly failure?: string;
}
