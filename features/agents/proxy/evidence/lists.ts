import { isObject, own } from '@/lib/json/value';
import { LISTINGS } from '@/lib/protocol/methods';
import { itemChanges } from '@/lib/store/list-changes';
import type { Log } from '@/lib/store/log';
import { messageSource } from '@/lib/store/message-source';
import { type AgentFinding, type EvidenceReader, WEIGHT } from './evidence';

/** Readings of a list that are compared. */
const MOST_READINGS = 200;
/** Names listed per change. */
const MOST_NAMES = 5;

/** A complete reading of a list. */
interface Reading {
  /** The first page's request, and the last page's response. */
  readonly from: number;
  readonly to: number;
  readonly items: readonly { readonly key: string; readonly raw: Record<string, unknown> }[];
}

/** Lists that changed between two readings without a notification that they would. */
export const silentListChanges: EvidenceReader = ({ log }) =>
  LISTINGS.flatMap(([method, { items: member, changed }]) => {
    const found: AgentFinding[] = [];
    let before: Reading | undefined;
    for (const reading of readingsOf(log, method, member)) {
      const difference = before && differenceText(before, reading);
      if (before && difference && !isAnnounced(log, changed, before.from, reading.from)) {
        found.push({
          code: 'list-changed-silently',
          severity: 'warning',
          weight: WEIGHT.list,
          title: 'A list changed without a notification',
          detail: `${method}: ${difference}`,
          advice: `Declare \`listChanged\`, and send ${changed} when the list changes. Hosts keep the old list otherwise.`,
          seqs: [reading.to, before.to],
          count: 1,
        });
      }
      before = reading;
    }
    return found;
  });

/** Yields the readings of a list whose pages are all in memory. */
function* readingsOf(log: Log, method: string, member: string): Generator<Reading> {
  const { columns, size } = log;
  let open: { from: number; cursor: unknown; items: Reading['items'] } | undefined;
  for (let index = 0, count = 0; index < size && count < MOST_READINGS; index++) {
    if (columns.kind(index) !== 'request' || columns.method(index) !== method) continue;
    const { responseSeq, id } = log.exchange(index + 1) ?? {};
    const params = messageSource(log, index + 1)?.member('params')?.value;
    const result = responseSeq === undefined ? undefined : messageSource(log, responseSeq, id)?.member('result')?.value;
    const page = isObject(result) ? own(result, member) : undefined;
    if (!isObject(result) || !Array.isArray(page)) {
      open = undefined;
      continue;
    }
    const cursor = isObject(params) ? own(params, 'cursor') : undefined;
    if (cursor === undefined) open = { from: index + 1, cursor: undefined, items: [] };
    else if (!open || open.cursor !== cursor) continue;
    const all: Reading['items'] = [...open!.items, ...page.filter(isObject).map((raw) => ({ key: keyOf(raw), raw }))];
    const next = own(result, 'nextCursor');
    open = { ...open!, cursor: next, items: all };
    if (next !== undefined && next !== null) continue;
    count++;
    yield { from: open.from, to: responseSeq!, items: all };
  }
}

function keyOf(raw: Record<string, unknown>): string {
  const key = own(raw, 'uri') ?? own(raw, 'uriTemplate') ?? own(raw, 'name');
  return typeof key === 'string' ? key : '';
}

function differenceText(before: Reading, after: Reading): string {
  const { added, removed, changed } = itemChanges(before.items, after.items);
  const names = (keys: readonly { readonly key: string }[]): string =>
    `${keys
      .slice(0, MOST_NAMES)
      .map(({ key }) => key)
      .join(', ')}${keys.length > MOST_NAMES ? ' …' : ''}`;
  return [
    added.length > 0 && `added ${names(added)}`,
    removed.length > 0 && `removed ${names(removed)}`,
    changed.length > 0 && `changed ${names(changed.map(({ after: item }) => item))}`,
  ]
    .filter(Boolean)
    .join('; ');
}

function isAnnounced(log: Log, changed: string, from: number, to: number): boolean {
  const { columns } = log;
  for (let index = from; index < to; index++) {
    if (columns.kind(index) === 'notification' && columns.method(index) === changed) return true;
  }
  return false;
}
