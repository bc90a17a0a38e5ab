import { encodeFrame, encodeLine } from '@/lib/recording/encode-line';
import { RECORDING_VERSION } from '@/lib/recording/format';
import { CAPTURE_POLICY, type CaptureRedactor } from '@/lib/redact/capture-redactor';
import { ConnectionError } from '@/lib/transports/transport';
import type { ConnectionSummary } from '@/lib/wire/command';
import { joinedBytes } from '@/lib/wire/joined-bytes';
import type { FrameLog } from './frame-log';
import { framesFrom } from './frames-from';

/** What is used of a connection that has a redactor of its own. */
export interface Logged {
  readonly log: FrameLog;
  readonly redactor: CaptureRedactor;
  readonly summary: ConnectionSummary;
}

/**
 * The first so many frames of a connection as a recorder would write them, without what the server was given and what was masked:
 * for whoever gives them away. Throws ConnectionError `no-such-frames`.
 */
export function redactedLines(connection: Logged, frames: number): AsyncIterable<Uint8Array> {
  if (frames > connection.log.last) throw new ConnectionError(NO_SUCH_FRAMES);
  return linesOf(connection, frames);
}

async function* linesOf({ log, redactor, summary }: Logged, last: number): AsyncGenerator<Uint8Array> {
  const { id, startedAt: at, name, transport } = summary;
  // The recorder's own is somewhere in the stream.
  const again = redactor.again();
  const about = { mcpr: RECORDING_VERSION, id, at, by: 'mcp-inspect', mode: 'client', name, transport } as const;
  yield encodeLine({ ...about, redaction: { policy: CAPTURE_POLICY } });
  for (let next = 1; next <= last; ) {
    const frames = framesFrom(await log.segmentOf(next), next).slice(0, last - next + 1);
    const lines: Uint8Array[] = [];
    for (const frame of frames) lines.push(encodeFrame(frame.seq, await again.applyInTurns(frame)));
    yield joinedBytes(lines);
    next += frames.length;
  }
}

const NO_SUCH_FRAMES = {
  code: 'no-such-frames',
  message: 'This connection has fewer messages than the page shows: mcp-inspect was started again since.',
  advice: 'Reload the page.',
};
