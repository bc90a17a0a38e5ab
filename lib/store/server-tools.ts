import type { JsonSource } from '@/lib/json/source';
import { isObject, own } from '@/lib/json/value';
import type { Log } from './log';
import { messageSource } from './message-source';
import { TOOLS } from './state/listings';

/** A tool as the server defines it, whatever an overlay shows to the client. */
export interface ServerTool {
  readonly name: string;
  readonly source: JsonSource;
}

/**
 * Returns the frame that has the message `seq` as the server sent it: the one on `intercept` before it, or itself if it
 * was passed on as it was. Events and HTTP frames may stand between the two.
 */
function asSent(log: Log, seq: number): number {
  for (let before = seq - 1; before > 0; before--) {
    const channel = log.columns.channel(before - 1);
    if (channel === 'intercept' && log.columns.direction(before - 1) === 'to-client') return before;
    if (channel === 'protocol') break;
  }
  return seq;
}

/** Returns the frames that {@link serverTools} reads. */
export function serverToolFrames(log: Log): readonly number[] {
  return log.state.tools.seqs.map((seq) => asSent(log, seq));
}

/** Returns the tools of the newest list as the server sent them, with hidden ones. Leaves out tools without a name. */
export function serverTools(log: Log, seqs: readonly number[]): readonly ServerTool[] {
  return seqs.flatMap((seq, page) => {
    const { id } = log.row((log.state.tools.seqs[page] ?? seq) - 1);
    const items = messageSource(log, seq, id)?.member('result')?.member(TOOLS.member);
    if (items?.kind !== 'array') return [];
    return items.children(Number.POSITIVE_INFINITY).children.flatMap(({ source }): readonly ServerTool[] => {
      const name = isObject(source.value) ? own(source.value, 'name') : undefined;
      return typeof name === 'string' ? [{ name, source }] : [];
    });
  });
}
