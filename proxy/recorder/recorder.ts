import type { FrameLog } from '@/lib/hub/frame-log';
import type { Clock } from '@/lib/wire/clock';
import { isFailure } from '@/lib/wire/lifecycle';
import { ConnectionRecorder } from './connection-recorder';
import { noteDeleted } from './deleted-note';
import { readKept } from './keep-settings';
import { tidyLeftovers } from './leftovers';
import { newRecording, newRecordingIn, type Recorded } from './new-recording';
import type { RecordingFile } from './recording-file';
import { prune, withoutLeap } from './retention';
import { writeFailure } from './write-failure';

/** How this run records. */
export interface RecorderOptions {
  readonly clock: Clock;
  readonly version: string;
  /** Where recordings are kept. */
  readonly folder: string;
  /** The file that the first connection goes to instead. */
  readonly first?: string;
}

/** Makes a recording of each connection, as it begins. */
export class Recorder {
  readonly #options: RecorderOptions;
  #first: string | undefined;

  constructor(options: RecorderOptions) {
    this.#options = options;
    this.#first = options.first;
  }

  /**
   * Records a log from its first frame on. `onFailed` is told, in a sentence, why nothing more can be written; then there is
   * nothing to return if that is so from the beginning.
   */
  record(
    log: FrameLog,
    about: Omit<Recorded, 'version'>,
    onFailed: (sentence: string) => void,
  ): ConnectionRecorder | undefined {
    const file = this.file(about, onFailed);
    return file && new ConnectionRecorder(log, file, this.#options.clock, onFailed);
  }

  /** Deletes what is not kept any longer, and notes it for whoever opens the list, and what killed processes left: before this run records anything, and whenever one of its recordings is closed. Never throws. */
  makeRoom(): void {
    const { folder } = this.#options;
    const [keep, now] = [readKept(folder), Date.now()];
    const deleted = prune(folder, withoutLeap(folder, keep, now), now);
    if (deleted.old + deleted.large > 0) noteDeleted(folder, { ...deleted, keep });
    tidyLeftovers(folder, now);
  }

  /** A new recording of whatever; see {@link record}. */
  file(about: Omit<Recorded, 'version'>, onFailed: (sentence: string) => void): RecordingFile | undefined {
    const { version, folder } = this.#options;
    const path = this.#first;
    this.#first = undefined;
    const recorded = { ...about, version };
    try {
      const file = path === undefined ? newRecordingIn(folder, recorded) : newRecording(path, recorded);
      file.whenClosed(() => this.makeRoom());
      return file;
    } catch (error) {
      const why = isFailure(error)
        ? `${error.message} ${error.advice}`
        : `${writeFailure(error)} in \`${path ?? folder}\`.`;
      onFailed(`This connection is not recorded: ${why}`);
      return undefined;
    }
  }
}
