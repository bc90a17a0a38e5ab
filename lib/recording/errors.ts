import type { Failure } from '@/lib/wire/lifecycle';
import { LIMITS } from '@/lib/wire/limits';
import { RecordingError } from './read-header';

/** Every frame has a newer version of the format. */
export function newerFormatError(version: number): RecordingError {
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

export const EXPANDS_TOO_MUCH = new RecordingError(
  'recording-expands',
  `Its lines refer to the same strings so often that, with these put back, this recording would be more than ${LIMITS.putBackTimes} times as large: what follows is left out.`,
  'No recorder of ours writes such a file: open the one that it was made from.',
);

export const EMPTY_FILE = new RecordingError(
  'not-a-recording',
  'This file is empty.',
  'Its writer had not begun, or had no room on its disk: record again.',
);

export const CUT_BEFORE_FIRST_FRAME = new RecordingError(
  'recording-empty',
  'There is no frame in this recording.',
  'It is cut off before the first one: get the whole file, or record again.',
);

/** The end line declares no frames. */
export const ENDED_WITHOUT_FRAMES = new RecordingError(
  'recording-empty',
  'There is no frame in this recording.',
  'It ended before anything happened: record again.',
);

export const ALL_LINES_DAMAGED = new RecordingError(
  'recording-too-damaged',
  'No frame of this recording can be read: its lines are damaged.',
  'Open another copy of it, or record again.',
);

/** The requested recording has been deleted. */
export const RECORDING_GONE: Failure = {
  code: 'no-recording',
  message: 'This recording is not there any more.',
  advice: 'Open the list again to see what there is.',
};
