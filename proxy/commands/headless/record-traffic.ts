import { bytesView } from '@/lib/json/typed-arrays';
import type { TapHost } from '@/lib/mcp/log-tap';
import type { FrameToRecord } from '@/lib/recording/encode-lines';
import { CaptureRedactor, type SecretSink } from '@/lib/redact/capture-redactor';
import { usageError } from '@/proxy/cli/exit-code';
import { type Launch, launchSecrets } from '@/proxy/connection/launch';
import { createRecording, type RecordingDetails } from '@/proxy/recorder/recorder';
import type { RecordingFile } from '@/proxy/recorder/recording-file';

/**
 * Starts recording into a new file. `at`: when the connection began (ISO 8601). `secrets`: those that it sends,
 * which are masked like those of the launch. Throws an ExitError if the file can’t be made.
 */
export function startRecording(
  path: string,
  launch: Launch,
  at: string,
  version: string,
  secrets: readonly string[] = [],
  about: Pick<RecordingDetails, 'id' | 'mode'> = {},
): TrafficRecorder {
  const { name, transport, profile } = launch;
  const redactor = new CaptureRedactor([...launchSecrets(launch), ...secrets]);
  return recordTo(path, { name, transport, at, version, redactor, as: profile?.as, ...about });
}

/** Starts a recording with these details in a new file. Throws an ExitError if the file can’t be made. */
export function recordTo(path: string, details: RecordingDetails): TrafficRecorder {
  try {
    return new TrafficRecorder(createRecording(path, details));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw usageError(
      code === 'EEXIST'
        ? `\`${path}\` already exists: name a new file after \`--record\`.`
        : `The file \`${path}\` can’t be created (${code}): check the path after \`--record\`.`,
    );
  }
}

/** Records the traffic of a command: what arrives in one turn of the event loop is written at its end, in one go. */
export class TrafficRecorder {
  readonly #file: RecordingFile;
  #waiting: FrameToRecord[] = [];

  constructor(file: RecordingFile) {
    this.#file = file;
  }

  /** Records every frame, then passes it to `next`. */
  tap(next: TapHost['append']): TapHost['append'] {
    return (channel, direction, flags, time, source, start, end) => {
      if (this.#waiting.length === 0) setImmediate(() => this.#write());
      this.#waiting.push({ time, channel, direction, flags, bytes: bytesView(source, start, end) });
      return next(channel, direction, flags, time, source, start, end);
    };
  }

  /** Takes further secrets to mask. */
  get secrets(): SecretSink {
    return this.#file.secrets;
  }

  /** Writes the rest and the end. Resolves with a sentence if something is missing. */
  async end(): Promise<string | undefined> {
    this.#write();
    await this.#file.prepareEnd();
    return this.#file.end();
  }

  #write(): void {
    const frames = this.#waiting;
    this.#waiting = [];
    if (frames.length > 0) this.#file.add(frames);
  }
}
