import { usageError } from '@/proxy/cli/exit-code';
import { lastValue, type ParsedOptions } from '@/proxy/cli/grammar';

/** Numbers of the first and the last frame. Absent: from the start, to the end. */
export interface GivenFrameRange {
  readonly from?: number;
  readonly to?: number;
}

/** Reads `--frames`: one frame, `10-40`, `10-` or `-40`. Throws an ExitError. */
export function readFrames(given: ParsedOptions): GivenFrameRange {
  const text = lastValue(given, 'frames');
  if (text === undefined) return {};
  const [, from, dash, to = dash ? undefined : from] = /^(\d{1,15})?(-)?(\d{1,15})?$/.exec(text) ?? [];
  const range = { ...(from !== undefined && { from: Number(from) }), ...(to !== undefined && { to: Number(to) }) };
  const isEmpty = Object.keys(range).length === 0 || (range.from ?? 1) > (range.to ?? Number.POSITIVE_INFINITY);
  if (!isEmpty && range.from !== 0) return range;
  throw usageError(
    `\`--frames ${text.slice(0, 60)}\` names no frames: write \`--frames 12\`, \`--frames 10-40\`, \`10-\` or \`-40\`.`,
  );
}
