import { randomUUID } from 'node:crypto';
import type { TapHost } from '@/lib/mcp/tap';
import { RECORDING_VERSION } from '@/lib/recording/format';
import { maskStart } from '@/lib/recording/mask-start';
import type { Launch } from '../connection/launch';
import { RecordingFile } from '../recorder/recording-file';
import { usage } from './exit-code';

/** Begins the recording of a session as a new file. Throws {@link Stop} if that can't be made. */
export function startRecording(path: string, launch: Launch, version: string): RecordingFile {
  try {
    return RecordingFile.create(path, {
      mcpr: RECORDING_VERSION,
      id: randomUUID(),
      at: new Date().toISOString(),
      by: `mcp-inspect/${version}`,
      mode: 'client',
      name: launch.name,
      transport: launch.transport,
      redaction: { policy: 'capture/1' },
    });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw usage(
      code === 'EEXIST'
        ? `There is a \`${path}\` already: name a new file after \`--record\`.`
        : `The file \`${path}\` can’t be made (${code}): check the path after \`--record\`.`,
    );
  }
}

/** A tap that records every frame, then hands it on. */
export function recordingTap(recording: RecordingFile, next: TapHost['append']): TapHost['append'] {
  return (channel, direction, flags, time, source, start, end) => {
    const seen = source.subarray(start, end);
    const bytes = channel === 'lifecycle' ? Buffer.from(maskStart(Buffer.from(seen).toString())) : seen;
    recording.frame({ time, channel, direction, flags, bytes });
    return next(channel, direction, flags, time, source, start, end);
  };
}
