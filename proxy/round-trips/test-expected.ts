import { eventsOf, type RecordedCall, type RecordedTraffic } from '@/lib/replay/traffic/recorded-traffic';

/** Everything that a client must get from a replay if it makes the recorded calls. */
export interface Expected {
  readonly calls: readonly ExpectedCall[];
  /** The filter of its subscription; undefined if there was none. */
  readonly listens: object | undefined;
  /** Number of notifications by method. */
  readonly notices: Readonly<Record<string, number>>;
  /** Methods of the server's requests, sorted. */
  readonly asked: readonly string[];
}

export interface ExpectedCall {
  readonly method: string;
  readonly params: { readonly cursor?: string };
  readonly cancelled: boolean;
  /** The last result, if the call asked for input first. */
  readonly result: Readonly<Record<string, unknown>> | undefined;
  readonly error: { readonly code: number; readonly message: string } | undefined;
}

/** The SDK handles these itself and does not pass them on. */
const OWN_NOTICES: ReadonlySet<string> = new Set([
  'notifications/subscriptions/acknowledged',
  'notifications/cancelled',
]);

const PROGRESS = 'notifications/progress';
const OPENINGS: ReadonlySet<string> = new Set(['initialize', 'server/discover', 'subscriptions/listen']);

/** Reads the expectations off a recording. */
export function expectedOf(session: RecordedTraffic): Expected {
  const calls = session.sent.filter((message) => message.kind === 'call');
  const events = [...eventsOf(session)];
  const listen = calls.find(({ method }) => method === 'subscriptions/listen');
  const rounds = calls.flatMap(({ answer }) => Object.values(resultOf(answer?.text).inputRequests ?? {}));
  const notices = events
    .filter(({ kind, method }) => kind === 'notification' && method !== PROGRESS)
    .map(({ method }) => method);
  const progress = calls.filter(isAnswered).flatMap(ownProgress);
  return {
    calls: calls
      .filter(({ method, continues }) => !OPENINGS.has(method) && !continues)
      .map((call) => expected(call, calls)),
    listens: listen && JSON.parse(listen.params!).notifications,
    notices: counted([...notices.filter((method) => !OWN_NOTICES.has(method)), ...progress]),
    asked: [...events.filter(({ kind }) => kind === 'request'), ...(rounds as { method: string }[])]
      .map(({ method }) => method)
      .filter((method) => method !== 'ping')
      .sort(),
  };
}

const isAnswered = ({ unanswered }: RecordedCall): boolean => unanswered === undefined;

/** Progress of the call itself; the SDK also reports a round of input as progress. */
function ownProgress({ during, progressToken, continues }: RecordedCall): readonly string[] {
  const own = during.filter(({ method, params }) => {
    return method === PROGRESS && JSON.stringify(JSON.parse(params ?? '{}').progressToken) === progressToken;
  });
  return [...own, ...(continues === undefined ? [] : [continues])].map(() => PROGRESS);
}

function expected(call: RecordedCall, calls: readonly RecordedCall[]): ExpectedCall {
  const { answer, unanswered } = calls.findLast(({ continues }) => continues === call.seq) ?? call;
  const { _meta, ...params } = JSON.parse(call.params ?? '{}');
  return {
    method: call.method,
    params,
    cancelled: unanswered?.why === 'cancelled',
    result: answer?.kind === 'result' ? resultOf(answer.text) : undefined,
    error: answer?.kind === 'error' ? JSON.parse(answer.text) : undefined,
  };
}

/** Returns a result as the SDK passes it on: without the members that only the protocol needs. */
function resultOf(text: string | undefined): { readonly inputRequests?: object; readonly [key: string]: unknown } {
  const { resultType: _, ...result } = JSON.parse(text ?? '{}');
  return result;
}

/** Counts each method. */
function counted(methods: readonly string[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const method of methods) counts[method] = (counts[method] ?? 0) + 1;
  return counts;
}
