import type { TapHost } from '@/lib/mcp/tap';
import type { Frame } from '@/lib/wire/frame';

/** A tap that hands on every frame, then tells of it whoever wants to hear. */
export function heardTap(next: TapHost['append'], heard?: (frame: Frame) => void): TapHost['append'] {
  if (!heard) return next;
  return (channel, direction, flags, time, source, start, end) => {
    const seq = next(channel, direction, flags, time, source, start, end);
    heard({ seq, time, channel, direction, flags, bytes: source.slice(start, end) });
    return seq;
  };
}
