import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { FrameLog } from '@/lib/hub/frame-log';
import { RECORDING_VERSION, type RecordingHeader } from '@/lib/recording/format';
import { CAPTURE_POLICY, type CaptureRedactor } from '@/lib/redact/capture-redactor';
import type { Clock } from '@/lib/wire/clock';
import { isFailure } from '@/lib/wire/lifecycle';
import { makeFolder } from '@/proxy/files/data-folder';
import { writeErrorReason } from '@/proxy/files/private-files';
import { ConnectionRecorder } from './connection-recorder';
import { newFileName } from './file-names';
import { RecordingFile } from './recording-file';
import type { RecordingUploads } from './recording-uploads';
import {
  addDeletedRecordings,
  deleteExpired,
  deleteLeftovers,
  deleteUnmarked,
  ignoreClockLeap,
  readRetention,
} from './retention';

/** Details of a new recording. */
export interface RecordingDetails {
  /** Name of the connection. It is redacted before it is written. */
  readonly name: string;
  readonly transport: RecordingHeader['transport'];
  /** Start, which all times count from; ISO 8601. */
  readonly at: string;
  /** Version of mcp-inspect. */
  readonly version: string;
  /** Redacts every frame. */
  readonly redactor: CaptureRedactor;
  /** Id of the recording; a new one unless another file names it. */
  readonly id?: string | undefined;
  /** Absent: `client`. */
  readonly mode?: RecordingHeader['mode'];
  /** Id of the host whose name is borrowed. */
  readonly as?: string | undefined;
}

/** Creates a recording at a path that must be free. Throws the system's error. */
export function createRecording(
  path: string,
  { name, transport, at, version, redactor, id = randomUUID(), mode = 'client', as }: RecordingDetails,
): RecordingFile {
  const header: RecordingHeader = {
    mcpr: RECORDING_VERSION,
    id,
    at,
    by: `mcp-inspect/${version}`,
    mode,
    ...(as !== undefined && { as }),
    name: withoutSecrets(name, redactor),
    transport,
    redaction: { policy: CAPTURE_POLICY },
  };
  return RecordingFile.create(path, header, redactor);
}

/** Creates a recording with a new name in a folder, which is made if missing. Throws the system's error. */
export function createRecordingIn(folder: string, recorded: RecordingDetails): RecordingFile {
  makeFolder(folder);
  const { name, redactor } = recorded;
  return createRecording(
    join(folder, newFileName(new Date().toISOString(), withoutSecrets(name, redactor), process.pid)),
    recorded,
  );
}

/** Redacts a name with a fork of the redactor, because it is not part of a stream. */
function withoutSecrets(name: string, redactor: CaptureRedactor): string {
  const { bytes } = redactor.fork().apply({ bytes: new TextEncoder().encode(name) });
  return new TextDecoder().decode(bytes);
}

/** Settings of a {@link Recorder}. */
export interface RecorderOptions {
  readonly clock: Clock;
  readonly version: string;
  /** Folder of recordings. */
  readonly folder: string;
  /** File for the first connection, in place of one in the folder. */
  readonly first?: string;
  /** Gets the path of each recording, to upload it. */
  readonly uploads?: Pick<RecordingUploads, 'onBegin' | 'onEnd'> | undefined;
}

/** Creates a recording for each connection. */
export class Recorder {
  readonly #options: RecorderOptions;
  #first: string | undefined;

  constructor(options: RecorderOptions) {
    this.#options = options;
    this.#first = options.first;
  }

  /**
   * Records a log from its first frame on. Calls `onFailed` with a sentence when recording fails. Returns undefined if
   * it can't start.
   */
  record(
    log: FrameLog,
    about: Omit<RecordingDetails, 'version'>,
    onFailed: (sentence: string) => void,
  ): ConnectionRecorder | undefined {
    const file = this.createFile(about, onFailed);
    return file && new ConnectionRecorder(log, file, this.#options.clock, onFailed);
  }

  /** Deletes a recording that has nothing to tell. Returns false and keeps it if the user named its file. */
  discard(recording: ConnectionRecorder): boolean {
    if (recording.path === this.#options.first) return false;
    recording.discard();
    return true;
  }

  /** Deletes a recording that has ended, unless the user named its file, or named or noted it. Never throws. */
  deleteUnmarked({ path }: ConnectionRecorder): void {
    if (path !== this.#options.first) deleteUnmarked(path);
  }

  /**
   * Deletes expired recordings, and files left by killed processes. Runs before the first recording and whenever one
   * is closed. If the settings can't be read, no recording is deleted. The list of recordings reports how much was
   * deleted. Never throws.
   */
  deleteExpired(): void {
    const { folder } = this.#options;
    const [keep, now] = [readRetention(folder), Date.now()];
    if (keep) {
      const deleted = deleteExpired(folder, ignoreClockLeap(folder, keep, now), now);
      if (deleted.old + deleted.large > 0) addDeletedRecordings(folder, { ...deleted, keep });
    }
    deleteLeftovers(folder, now);
  }

  /** Creates the file of a recording; see {@link record}. */
  createFile(
    about: Omit<RecordingDetails, 'version'>,
    onFailed: (sentence: string) => void,
  ): RecordingFile | undefined {
    const { version, folder, uploads } = this.#options;
    const path = this.#first;
    this.#first = undefined;
    const recorded = { ...about, version };
    try {
      const file = path === undefined ? createRecordingIn(folder, recorded) : createRecording(path, recorded);
      uploads?.onBegin(file.path);
      file.onClosed(() => {
        this.deleteExpired();
        uploads?.onEnd(file.path);
      });
      return file;
    } catch (error) {
      const why = isFailure(error)
        ? `${error.message} ${error.advice}`
        : `${writeErrorReason(error)} in \`${path ?? folder}\`.`;
      onFailed(`This connection is not recorded: ${why}`);
      return undefined;
    }
  }
}
