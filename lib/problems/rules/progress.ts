import { idKey, isObject, own } from '@/lib/json/value';
import { RecentMap } from '@/lib/store/columns/collections';
import type { ProtocolState, SeenMessage, TrackedRequest } from '../protocol-state';
import { type Checks, quote, type Report, type Rule } from '../rule';

/** A token in use, or used up. */
interface Token {
  readonly seq: number;
  readonly id: unknown;
  /** The newest progress, and where. */
  progress: number | undefined;
  progressSeq: number | undefined;
}

const OTHER = { 'to-server': 'to-client', 'to-client': 'to-server' } as const;

type Judge = (seen: SeenMessage, token: Token | undefined, ask: TrackedRequest | undefined, report: Report) => void;

/** A rule about progress notifications: it is told which request each is about. */
function progressChecks(judge: Judge): () => Checks {
  return () => {
    const tokens = new RecentMap<string, Token>();
    return {
      kinds: ['request', 'notification'],
      message: (seen: SeenMessage, session: ProtocolState, report: Report) => {
        const { kind, method, direction, params, seq, id } = seen;
        if (kind === 'request') {
          const meta = own(params, '_meta');
          const token = isObject(meta) ? own(meta, 'progressToken') : undefined;
          if (token === undefined) return;
          tokens.set(`${direction} ${idKey(token)}`, { seq, id, progress: undefined, progressSeq: undefined });
        }
        if (kind !== 'notification' || method !== 'notifications/progress') return;
        const token = tokens.get(`${OTHER[direction]} ${idKey(own(params, 'progressToken'))}`);
        judge(seen, token, token && session.findRequest(OTHER[direction], token.id), report);
        const progress = own(params, 'progress');
        if (!token || typeof progress !== 'number') return;
        token.progress = progress;
        token.progressSeq = seq;
      },
    };
  };
}

/** What progress notifications have to keep to. */
export const PROGRESS: readonly Rule[] = [
  {
    id: 'progress-unknown-token',
    severity: 'error',
    title: 'Progress with a token of no request',
    topic: 'progress',
    advice: 'Report progress only with the token of the request that it is about.',
    checks: progressChecks(({ params }, token, _ask, report) => {
      const written = own(params, 'progressToken');
      if (token || (typeof written !== 'string' && typeof written !== 'number')) return;
      report({ message: `No request has the token ${quote(written)}.`, path: ['params', 'progressToken'] });
    }),
  },
  {
    id: 'progress-not-increasing',
    severity: 'error',
    title: 'Progress that does not increase',
    topic: 'progress',
    advice: 'Make each progress greater than the one before, also if the total is not known.',
    checks: progressChecks(({ params }, token, _ask, report) => {
      const progress = own(params, 'progress');
      if (token?.progress === undefined || typeof progress !== 'number' || progress > token.progress) return;
      report({
        message: `The progress is ${progress} after ${token.progress}.`,
        path: ['params', 'progress'],
        seqs: [token.seq, token.progressSeq!],
      });
    }),
  },
  {
    id: 'progress-after-end',
    severity: 'error',
    title: 'Progress after the answer',
    topic: 'progress',
    advice: 'Stop reporting progress once the request is answered.',
    checks: progressChecks((_seen, _token, ask, report) => {
      // A task goes on after the answer that tells of it.
      if (ask?.answerSeq === undefined || ask.task) return;
      report({ message: `${quote(ask.method)} was answered already.`, seqs: [ask.seq, ask.answerSeq] });
    }),
  },
];
