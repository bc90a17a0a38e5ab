import type { MissingFacts } from '@/lib/wire/lifecycle';

/** What is missing in a place of a recording, and why, in a sentence or two. Without facts, of one of those that another frame tells of. */
export function missingWords({ frames, lines = 0, line, unknown, folded }: Partial<MissingFacts>): string {
  if (frames === undefined) return 'This frame is missing as well.';
  const are = frames === 1 ? '1 frame is' : `${frames.toLocaleString('en-US')} frames are`;
  const which = lines === 1 ? `Line ${line} is` : `${lines.toLocaleString('en-US')} lines from line ${line} on are`;
  const why = unknown ? 'of a kind that is not known here' : 'damaged';
  const renumbered = folded ? ' From here on, numbers are lower than in the file.' : '';
  return `${lines > 0 ? `${which} ${why}: ` : ''}${are} missing here.${renumbered}`;
}
