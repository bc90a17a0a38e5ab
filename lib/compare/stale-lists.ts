import { LISTINGS } from '@/lib/protocol/methods';
import { eventsOf } from '@/lib/session/events-of';
import type { RecordedSession } from '@/lib/session/recorded-session';

/** Methods of lists that were read, and of which the server said later that they have changed. */
export function staleLists(session: RecordedSession): ReadonlySet<string> {
  const [asked, changed] = [new Map<string, number>(), new Map<string, number>()];
  for (const { method, seq } of session.sent) asked.set(method, seq);
  for (const { method, seq } of eventsOf(session)) changed.set(method, Math.max(seq, changed.get(method) ?? 0));
  const stale = LISTINGS.filter(([method, listing]) => {
    const [read, said] = [asked.get(method), changed.get(listing.changed)];
    return read !== undefined && said !== undefined && said > read;
  });
  return new Set(stale.map(([method]) => method));
}
