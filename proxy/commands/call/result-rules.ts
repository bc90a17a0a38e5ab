import { isObject, own } from '@/lib/json/value';
import type { JudgedFinding } from '@/lib/problems/judge-frames';
import { structureFaults } from '@/lib/protocol/check-message';
import { tableVersion } from '@/lib/protocol/rows';
import { classify } from '@/lib/store/classify';
import { countOf } from '@/lib/wire/format';
import type { Frame } from '@/lib/wire/frame';
import { idKey } from '@/lib/wire/message';
import type { CommandOutput } from '@/proxy/cli/output';
import { KeptFrames } from '@/proxy/commands/headless/kept-frames';
import type { ConnectedServer } from '../headless/on-server';
import { runWithin } from '../shared/time-limit';

/** Bytes of the largest frame that is judged. Parsing a larger one again would take longer than the call. */
const FRAME_BYTES = 8 * 1024 * 1024;
/** Most broken rules that are reported. `check` lists all. */
const MOST_REPORTED = 3;
/** Requests whose answers hold the result of a call. */
const CALLS: readonly unknown[] = ['tools/call', 'tasks/get', 'tasks/result'];
/** Rules that compare a result with the schema of its tool. */
const OF_SCHEMA: readonly string[] = ['output-missing', 'output-mismatch'];

/** Judges the results of calls by the rules of `check`. */
export class ResultRules {
  readonly #frames = new KeptFrames(() => {});

  /** Sees every frame of the connection. */
  readonly onFrame = (frame: Frame): void => {
    if (frame.bytes.length <= FRAME_BYTES) this.#frames.add(frame);
  };

  /**
   * Prints on stderr which rules the results break that `check` calls an error. Returns the number of broken rules.
   * `result`: a result whose missing members have been reported already. `isSchemaTold`: so was that it does not match
   * the schema of its tool.
   */
  async report(
    { negotiated, out }: Pick<ConnectedServer, 'negotiated' | 'out'>,
    result?: unknown,
    isSchemaTold = false,
  ): Promise<number> {
    if (!negotiated) return 0;
    const { judgeFrames } = await import('@/lib/problems/judge-frames');
    const judged = await judgeFrames(() => [this.#frames.frames], runWithin).catch(() => undefined);
    const answers = answersIn(this.#frames.frames);
    const told = reportedPaths(negotiated.version, result);
    const broken = (judged?.findings ?? []).filter(
      ({ rule, severity, fromServer, path, frames }) =>
        severity === 'error' &&
        fromServer &&
        frames.some((seq) => answers.has(seq)) &&
        !told.has(path) &&
        !(isSchemaTold && (OF_SCHEMA.includes(rule) || path?.startsWith('result.structuredContent'))),
    );
    printBroken(broken, out);
    return broken.length;
  }
}

/** Returns the numbers of the frames that answer calls. */
function answersIn(frames: readonly Frame[]): ReadonlySet<number> {
  const [open, answers] = [new Set<string>(), new Set<number>()];
  for (const { channel, direction, seq, bytes } of frames) {
    if (channel !== 'protocol') continue;
    for (const { kind, id, method } of classify(bytes).messages) {
      if (direction === 'to-server' && CALLS.includes(method)) open.add(idKey(id));
      else if (direction === 'to-client' && kind !== 'request' && open.delete(idKey(id))) answers.add(seq);
    }
  }
  return answers;
}

/** Returns the paths of faults that are reported with every result. */
function reportedPaths(version: string, result: unknown): ReadonlySet<string | undefined> {
  const type = isObject(result) ? own(result, 'resultType') : undefined;
  if (result === undefined || (type !== undefined && type !== 'complete')) return new Set();
  const asked = { method: 'tools/call', params: undefined };
  return new Set(structureFaults(tableVersion(version), asked, result).map(({ path }) => path.join('.')));
}

function printBroken(broken: readonly JudgedFinding[], out: CommandOutput): void {
  for (const { rule, message, path } of broken.slice(0, MOST_REPORTED)) {
    const where = path === undefined ? '' : ` See \`${path}\`.`;
    out.printNote('mcp-inspect', `The result breaks the rule ${rule}: ${message}${where}`);
  }
  const left = broken.length - MOST_REPORTED;
  if (left > 0) out.printNote('mcp-inspect', `It has ${countOf(left, 'more error')}. \`check --allow\` lists all.`);
}
