import { type JsonObject, own } from '@/lib/wire/message';
import { RECORDING_VERSION } from './format';

/** One step for each version that was: turns what a line of it tells, but for its content, into the next version's. */
const STEPS: readonly ((line: JsonObject) => JsonObject)[] = [
  // 0, of the drafts: milliseconds, and directions in words.
  (line) => {
    const time = own(line, 't');
    const direction = own(line, 'd');
    return {
      ...line,
      ...(typeof time === 'number' && { t: Math.round(time * 1000) }),
      ...(direction === 'to-server' && { d: '>' }),
      ...(direction === 'to-client' && { d: '<' }),
    };
  },
];

/** A line of any version as the present one has it. One of a newer version comes back as it is. */
export function upgraded(line: JsonObject, version: number): JsonObject {
  let next = line;
  for (let from = version; from < RECORDING_VERSION; from++) next = STEPS[from]!(next);
  return next;
}
