import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { RECORDING_VERSION, type RecordingHeader } from '@/lib/recording/format';
import { CAPTURE_POLICY, type CaptureRedactor } from '@/lib/redact/capture-redactor';
import { newFileName } from './file-names';
import { RecordingFile } from './recording-file';
import { makeFolder } from './recordings-folder';

/** What a recording is of. */
export interface Recorded {
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
export function newRecording(path: string, { name, transport, at, version, redactor }: Recorded): RecordingFile {
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
export function newRecordingIn(folder: string, recorded: Recorded): RecordingFile {
  makeFolder(folder);
  const { name, redactor } = recorded;
  return newRecording(
    join(folder, newFileName(new Date().toISOString(), withoutSecrets(name, redactor), process.pid)),
    recorded,
  );
}

/** As if it had been seen beside what is recorded: it belongs to no stream. */
function withoutSecrets(name: string, redactor: CaptureRedactor): string {
  const { bytes } = redactor.again().apply({ bytes: new TextEncoder().encode(name) });
  return new TextDecoder().decode(bytes);
}
