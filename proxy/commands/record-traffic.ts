import type { TapHost } from '@/lib/mcp/live-connection';
import { CaptureRedactor } from '@/lib/redact/capture-redactor';
import { usageError } from '@/proxy/cli/exit-code';
import { type Launch, launchSecrets } from '@/proxy/connection/launch';
import { createRecording } from '@/proxy/recorder/recorder';
import type { RecordingFile } from '@/proxy/recorder/recording-file';

/**
 * Starts recording into a new file. `at`: when the connection began (ISO 8601). Throws an ExitError if the file can’t
 * be made.
 */
export function startRecording(path: string, launch: Launch, at: string, version: string): RecordingFile {
  try {
    const { name, transport } = launch;
    return createRecording(path, {
      name,
      transport,
      at,
      version,
      redactor: new CaptureRedactor(launchSecrets(launch)),
    });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw usageError(
      code === 'EEXIST'
        ? `\`${path}\` already exists: name a new file after \`--record\`.`
        : `The file \`${path}\` can’t be created (${code}): check the path after \`--record\`.`,
    );
  }
}

/** Records every frame, then passes it to `next`. */
export function recordingTap(recording: RecordingFile, next: TapHost['append']): TapHost['append'] {
  return (channel, direction, flags, time, source, start, end) => {
    recording.add([{ time, channel, direction, flags, bytes: source.subarray(start, end) }]);
    return next(channel, direction, flags, time, source, start, end);
  };
}
