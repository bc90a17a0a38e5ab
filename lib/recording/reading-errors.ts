import { LIMITS } from '@/lib/wire/limits';
import { RecordingError } from './read-header';

/** Nothing in it is of a version that is known. */
export function newer(version: number): RecordingError {
  return new RecordingError(
    'recording-newer',
    `This recording has version ${version} of the format, and nothing in it can be read by this mcp-inspect.`,
    'Update mcp-inspect, and open it again.',
  );
}

export const TOO_DAMAGED = new RecordingError(
  'recording-too-damaged',
  'Most lines of this recording can not be read: what follows them is left out.',
  'Open another copy of it, or record again.',
);

export const EXPANDS = new RecordingError(
  'recording-expands',
  `Its lines refer to the same strings so often that, with these put back, this recording would be more than ${LIMITS.putBackTimes} times as large: what follows is left out.`,
  'No recorder of ours writes such a file: open the one that it was made from.',
);

export const NO_BYTES = new RecordingError(
  'not-a-recording',
  'This file is empty.',
  'Its writer had not begun, or had no room on its disk: record again.',
);

export const EMPTY = new RecordingError(
  'recording-empty',
  'There is no frame in this recording.',
  'It is cut off before the first one: get the whole file, or record again.',
);

/** It says so itself. */
export const NOTHING = new RecordingError(
  'recording-empty',
  'There is no frame in this recording.',
  'It ended before anything happened: record again.',
);

export const UNREADABLE = new RecordingError(
  'recording-too-damaged',
  'No frame of this recording can be read: its lines are damaged.',
  'Open another copy of it, or record again.',
);
