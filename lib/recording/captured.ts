import type { FrameToRecord } from './encode-line';
import { maskStart } from './mask-start';

/** A frame as it may be written to a file: what `capture/1` takes out is out. */
export function captured(frame: FrameToRecord): FrameToRecord {
  if (frame.channel !== 'lifecycle') return frame;
  return { ...frame, bytes: new TextEncoder().encode(maskStart(new TextDecoder().decode(frame.bytes))) };
}
