import type { FrameLog } from '@/lib/hub/frame-log';
import { topLevelMembers } from '@/lib/json/members';
import type { RequestOutcome } from '@/lib/mcp/requests';
import { classify, decodeLossy } from '@/lib/store/classify';
import { idKey, type RequestId } from '@/lib/wire/message';

/** The text of an answer, and the seq of its frame. */
interface FoundAnswer {
  readonly kind: 'result' | 'error';
  readonly text: string;
  readonly seq?: number;
}

/**
 * Returns the exact text of the answer to a request, which is one of the log's newest frames; undefined if there was no
 * answer. `after`: seq of the request. The result of a task and that in a batch are serialised again.
 */
export async function findAnswer(
  log: FrameLog,
  after: number,
  id: RequestId,
  outcome: RequestOutcome,
): Promise<FoundAnswer | undefined> {
  if (outcome.kind !== 'result' && outcome.kind !== 'error') return undefined;
  const value = outcome.kind === 'result' ? outcome.result : outcome.error;
  const found = await findFrame(log, after, id);
  const member =
    found && !(outcome.kind === 'result' && outcome.heldBy) ? memberOf(found.line, outcome.kind) : undefined;
  return {
    kind: outcome.kind,
    text: member ?? JSON.stringify(value ?? null),
    ...(found && { seq: found.seq }),
  };
}

/** Searches backwards, since the answer has just come. */
async function findFrame(
  log: FrameLog,
  after: number,
  id: RequestId,
): Promise<{ line: string; seq: number } | undefined> {
  const key = idKey(id);
  for (let seq = log.last; seq > after; ) {
    const segment = await log.segmentOf(seq);
    for (; seq > after && seq >= segment.first; seq--) {
      const index = seq - segment.first;
      if (segment.channel(index) !== 'protocol') continue;
      const { direction, bytes } = segment.frame(index);
      if (direction !== 'to-client') continue;
      const isAnswer = classify(bytes).messages.some(
        (message) => (message.kind === 'response' || message.kind === 'error') && idKey(message.id) === key,
      );
      if (isAnswer) return { line: decodeLossy(bytes), seq };
    }
  }
  return undefined;
}

function memberOf(line: string, name: string): string | undefined {
  const text = line.trimStart();
  // A batch has the answers to several requests.
  if (!text.startsWith('{')) return undefined;
  const member = topLevelMembers(text).findLast(({ key }) => key === name);
  return member && text.slice(member.start, member.end);
}
