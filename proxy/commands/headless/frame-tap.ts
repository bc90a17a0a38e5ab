import type { TapHost } from '@/lib/mcp/log-tap';
import type { Frame } from '@/lib/wire/frame';

/** A tap that passes every frame to `next`, then to `onFrame`. */
export function frameTap(next: TapHost['append'], onFrame?: (frame: Frame) => void): TapHost['append'] {
  if (!onFrame) return next;
  return (channel, direction, flags, time, source, start, end) => {
    const seq = next(channel, direction, flags, time, source, start, end);
    onFrame({ seq, time, channel, direction, flags, bytes: source.slice(start, end) });
    return seq;
  };
}
