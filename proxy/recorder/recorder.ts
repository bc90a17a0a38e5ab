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
import { addDeletedRecordings, deleteExpired, deleteLeftovers, ignoreClockLeap, readRetention } from './retention';

/** What a recording is of. */
export interface RecordingDetails {
  /** What people call it. It is written without what the redactor finds in it. */
  readonly name: string;
  readonly transport: RecordingHeader['transport'];
  /** When it began, which is what all its times count from: ISO 8601. */
  readonly at: string;
  /** Of mcp-inspect. */
  readonly version: string;
  /** What every frame goes through. */
  readonly redactor: CaptureRedactor;
}

/** Makes a recording of this name, which must not be there. Throws the system's error. */
export function createRecording(
  path: string,
  { name, transport, at, version, redactor }: RecordingDetails,
): RecordingFile {
  const header: RecordingHeader = {
    mcpr: RECORDING_VERSION,
    id: randomUUID(),
    at,
    by: `mcp-inspect/${version}`,
    mode: 'client',
    name: withoutSecrets(name, redactor),
    transport,
    redaction: { policy: CAPTURE_POLICY },
  };
  return RecordingFile.create(path, header, redactor);
}

/** Makes a recording with a name of its own in a folder, which is made if it is not there. Throws the system's error. */
export function createRecordingIn(folder: string, recorded: RecordingDetails): RecordingFile {
  makeFolder(folder);
  const { name, redactor } = recorded;
  return createRecording(
    join(folder, newFileName(new Date().toISOString(), withoutSecrets(name, redactor), process.pid)),
    recorded,
  );
}

/** As if it had been seen beside what is recorded: it belongs to no stream. */
function withoutSecrets(name: string, redactor: CaptureRedactor): string {
  const { bytes } = redactor.fork().apply({ bytes: new TextEncoder().encode(name) });
  return new TextDecoder().decode(bytes);
}

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
    about: Omit<RecordingDetails, 'version'>,
    onFailed: (sentence: string) => void,
  ): ConnectionRecorder | undefined {
    const file = this.createFile(about, onFailed);
    return file && new ConnectionRecorder(log, file, this.#options.clock, onFailed);
  }

  /** Deletes what is not kept any longer, and notes it for whoever opens the list, and what killed processes left: before this run records anything, and whenever one of its recordings is closed. Never throws. */
  deleteExpired(): void {
    const { folder } = this.#options;
    const [keep, now] = [readRetention(folder), Date.now()];
    const deleted = deleteExpired(folder, ignoreClockLeap(folder, keep, now), now);
    if (deleted.old + deleted.large > 0) addDeletedRecordings(folder, { ...deleted, keep });
    deleteLeftovers(folder, now);
  }

  /** A new recording of whatever; see {@link record}. */
  createFile(
    about: Omit<RecordingDetails, 'version'>,
    onFailed: (sentence: string) => void,
  ): RecordingFile | undefined {
    const { version, folder } = this.#options;
    const path = this.#first;
    this.#first = undefined;
    const recorded = { ...about, version };
    try {
      const file = path === undefined ? createRecordingIn(folder, recorded) : createRecording(path, recorded);
      file.onClosed(() => this.deleteExpired());
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
