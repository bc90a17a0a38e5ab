import type { Failure } from '@/lib/wire/lifecycle';
import { LIMITS } from '@/lib/wire/limits';

/** A file that cannot be opened as a recording. Codes: `not-a-recording`, `recording-newer`, `recording-empty`. */
export class RecordingError extends Error implements Failure {
  readonly code: string;
  readonly advice: string;

  constructor(code: string, message: string, advice: string) {
    super(message);
    this.name = 'RecordingError';
    this.code = code;
    this.advice = advice;
  }
}

/** The file has a newer version of the format. */
export function newerFormatError(version: number): RecordingError {
  return new RecordingError(
    'recording-newer',
    `This recording has format version ${version}, which this mcp-inspect cannot read.`,
    'Update mcp-inspect, then open it again.',
  );
}

export const TOO_DAMAGED = new RecordingError(
  'recording-too-damaged',
  'Most lines of this recording are unreadable, so the rest was skipped.',
  'Open another copy, or record again.',
);

export const EXPANDS_TOO_MUCH = new RecordingError(
  'recording-expands',
  `This recording repeats its strings so often that it would unpack to more than ${LIMITS.putBackTimes} times its size, so the rest was skipped.`,
  'mcp-inspect does not write such files. Open the recording that this one was made from.',
);

export const EMPTY_FILE = new RecordingError(
  'not-a-recording',
  'This file is empty.',
  'Nothing was recorded, or the disk was full. Record again.',
);

export const CUT_BEFORE_FIRST_FRAME = new RecordingError(
  'recording-empty',
  'This recording has no frames.',
  'It was cut off before the first one. Get the whole file, or record again.',
);

/** The end line declares no frames. */
export const ENDED_WITHOUT_FRAMES = new RecordingError(
  'recording-empty',
  'This recording has no frames.',
  'It ended before anything happened. Record again.',
);

export const ALL_LINES_DAMAGED = new RecordingError(
  'recording-too-damaged',
  'No frame of this recording is readable: its lines are damaged.',
  'Open another copy, or record again.',
);

/** The requested recording has been deleted. */
export const RECORDING_GONE: Failure = {
  code: 'no-recording',
  message: 'This recording no longer exists.',
  advice: 'Reload the list of recordings.',
};
