import { isObject, own } from '@/lib/json/value';
import { RecentMap } from '@/lib/store/columns/collections';
import { OPPOSITE } from '@/lib/wire/frame';
import { idKey } from '@/lib/wire/message';
import { metaOf, type ProtocolState, type SeenMessage, type TrackedRequest } from '../protocol-state';
import { type Checks, type ProtocolRule, quote, type ReportFinding } from '../rule';

/** A progress token, in use or released. */
interface Token {
  readonly seq: number;
  readonly id: unknown;
  /** The newest progress. */
  progress: number | undefined;
  progressSeq: number | undefined;
}

type Judge = (
  seen: SeenMessage,
  token: Token | undefined,
  request: TrackedRequest | undefined,
  report: ReportFinding,
) => void;

/** Builds the checks of a rule about progress notifications. `judge` gets the token and its request. */
function progressChecks(judge: Judge): () => Checks {
  return () => {
    const tokens = new RecentMap<string, Token>();
    return {
      kinds: ['request', 'notification'],
      message: (seen: SeenMessage, state: ProtocolState, report: ReportFinding) => {
        const { kind, method, direction, params, seq, id } = seen;
        if (kind === 'request') {
          const meta = own(params, '_meta');
          const token = isObject(meta) ? own(meta, 'progressToken') : undefined;
          if (token === undefined) return;
          tokens.set(`${direction} ${idKey(token)}`, { seq, id, progress: undefined, progressSeq: undefined });
        }
        if (kind !== 'notification' || method !== 'notifications/progress') return;
        const token = tokens.get(`${OPPOSITE[direction]} ${idKey(own(params, 'progressToken'))}`);
        judge(seen, token, token && state.findRequest(OPPOSITE[direction], token.id), report);
        const progress = own(params, 'progress');
        if (!token || typeof progress !== 'number') return;
        token.progress = progress;
        token.progressSeq = seq;
      },
    };
  };
}

/** Rules about progress. */
export const PROGRESS_RULES: readonly ProtocolRule[] = [
  {
    id: 'progress-token-reused',
    severity: 'error',
    title: 'Progress token of another request',
    topic: 'progress',
    advice: 'Give each request its own progressToken while others are unanswered.',
    checks: () => {
      const tokens = new RecentMap<string, unknown>();
      return {
        kinds: ['request'],
        message: (seen, state, report) => {
          const token = metaOf(seen, 'progressToken');
          if (token === undefined) return;
          const key = `${seen.direction} ${idKey(token)}`;
          const before = state.findRequest(seen.direction, tokens.get(key));
          tokens.set(key, seen.id);
          if (!before || before.answerSeq !== undefined || before.id === seen.id) return;
          report({
            message: `${quote(before.method)} (id ${quote(before.id)}) uses the token ${quote(token)} and is unanswered.`,
            path: ['params', '_meta', 'progressToken'],
            seqs: [before.seq],
          });
        },
      };
    },
  },
  {
    id: 'progress-other-stream',
    severity: 'error',
    title: 'Progress on the stream of another request',
    topic: 'http-receive',
    advice: 'Send progress on the stream that carries the response to its request.',
    checks: progressChecks(({ exchange, modern }, _token, request, report) => {
      if (!modern || exchange === undefined || request?.exchange === undefined || request.exchange === exchange) return;
      report({
        message: `The progress belongs to ${quote(request.method)} (id ${quote(request.id)}), which has another stream.`,
        path: ['params', 'progressToken'],
        seqs: [request.seq],
      });
    }),
  },
  {
    id: 'progress-beyond-total',
    severity: 'info',
    title: 'Progress beyond the total',
    topic: 'progress',
    advice: 'Leave total out while it is unknown.',
    checks: progressChecks(({ params }, _token, _ask, report) => {
      const [progress, total] = [own(params, 'progress'), own(params, 'total')];
      if (typeof progress !== 'number' || typeof total !== 'number' || progress <= total || total < 0) return;
      report({ message: `The progress is ${progress} of ${total}.`, path: ['params', 'progress'] });
    }),
  },
  {
    id: 'progress-unknown-token',
    severity: 'error',
    title: 'Unknown progress token',
    topic: 'progress',
    advice: 'Use the progressToken that the request sent.',
    checks: progressChecks(({ params }, token, _ask, report) => {
      const written = own(params, 'progressToken');
      if (token || (typeof written !== 'string' && typeof written !== 'number')) return;
      report({ message: `No request has the progress token ${quote(written)}.`, path: ['params', 'progressToken'] });
    }),
  },
  {
    id: 'progress-not-increasing',
    severity: 'error',
    title: 'Progress does not increase',
    topic: 'progress',
    advice: 'Make each value greater than the previous one, even if the total is unknown.',
    checks: progressChecks(({ params }, token, _ask, report) => {
      const progress = own(params, 'progress');
      if (token?.progress === undefined || typeof progress !== 'number' || progress > token.progress) return;
      report({
        message: `The progress is ${progress}, but was already ${token.progress}.`,
        path: ['params', 'progress'],
        seqs: [token.seq, token.progressSeq!],
      });
    }),
  },
  {
    id: 'progress-after-end',
    severity: 'error',
    title: 'Progress after the response',
    topic: 'progress',
    advice: 'Stop reporting progress once the request is answered.',
    checks: progressChecks((_seen, _token, request, report) => {
      // A task continues after the response.
      if (request?.answerSeq === undefined || request.task) return;
      report({
        message: `${quote(request.method)} had already been answered.`,
        seqs: [request.seq, request.answerSeq],
      });
    }),
  },
];
