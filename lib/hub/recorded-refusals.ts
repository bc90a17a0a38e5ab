/** Why something can't be done with a recording, in sentences. */

export const NOT_WRITABLE =
  'A page can not write to a file that it was given. They stay until it is closed: Share makes a file that has them.';

export const STILL_READ = {
  code: 'still-read',
  message: 'The recording is still being read.',
  advice: 'Add the note when it is here.',
};

export const NOT_IN_FILE = {
  code: 'no-frame',
  message: 'This row is not in the recording’s file, so no note can be on it.',
  advice: 'Put it on the row before.',
};
