import { LISTINGS } from '@/lib/protocol/methods';
import type { RecordedCall, RecordedSession } from '@/lib/session/recorded-session';
import { requestKey } from '@/lib/session/request-key';
import { USUAL } from './normalise';

/** Two calls that ask the same, or one that the other side does not have. */
export interface CallPair {
  readonly before: RecordedCall | undefined;
  readonly after: RecordedCall | undefined;
  /** Why it was not sent again. */
  readonly skipped?: string;
}

/** They open a session, list what there is, which the catalogue tells better, or have no answer to compare. */
const NOT_COMPARED: ReadonlySet<string> = new Set([
  'initialize',
  'server/discover',
  'subscriptions/listen',
  ...LISTINGS.map(([method]) => method),
]);

/** The calls of a session whose answers are compared. A list that was refused is: the catalogue has nothing of it. */
export function comparedCalls({ sent }: RecordedSession): readonly RecordedCall[] {
  return sent.filter(
    (message) => message.kind === 'call' && (!NOT_COMPARED.has(message.method) || isRefusedList(message)),
  ) as readonly RecordedCall[];
}

function isRefusedList({ method, answer }: RecordedCall): boolean {
  return answer?.kind === 'error' && LISTINGS.some(([known]) => known === method);
}

/**
 * Matches calls that ask the same, the first of them with the first; what is left is matched without what differs from run to
 * run. In the order of `before`, then what only `after` has. A step is one call.
 */
export function* pairCalls(
  before: readonly RecordedCall[],
  after: readonly RecordedCall[],
): Generator<void, readonly CallPair[]> {
  const partners = new Map<RecordedCall, RecordedCall>();
  const taken = new Set<RecordedCall>();
  for (const keyOf of KEYS) {
    const waiting = new Map<string, RecordedCall[]>();
    for (const call of after.toReversed()) {
      if (taken.has(call)) continue;
      const key = keyOf(call);
      const queue = waiting.get(key);
      if (queue) queue.push(call);
      else waiting.set(key, [call]);
      yield;
    }
    for (const call of before) {
      if (partners.has(call)) continue;
      const partner = waiting.get(keyOf(call))?.pop();
      yield;
      if (partner === undefined) continue;
      partners.set(call, partner);
      taken.add(partner);
    }
  }
  return [
    ...before.map((call) => ({ before: call, after: partners.get(call) })),
    ...after.filter((call) => !taken.has(call)).map((call) => ({ before: undefined, after: call })),
  ];
}

const KEYS: readonly ((call: RecordedCall) => string)[] = [
  ({ method, params }) => requestKey(method, params),
  ({ method, params }) => USUAL.text(requestKey(method, params), undefined),
];
