import { isObject, type JsonObject, own } from '@/lib/json/value';
import type { FaultPath } from '@/lib/protocol/checks';
import { LISTINGS } from '@/lib/protocol/methods';
import { RecentMap } from '@/lib/store/columns/collections';
import { textHash } from '@/lib/wire/text-hash';
import type { SeenMessage } from '../protocol-state';
import { messageRule, type ProtocolRule, quote, type ReportFinding } from '../rule';

/** The member that identifies an entry of each list. */
const KEYS = { tools: 'name', prompts: 'name', resources: 'uri', resourceTemplates: 'uriTemplate' } as const;
const MEMBERS = new Map(LISTINGS.map(([method, { items }]) => [method, items]));

/** Returns the page of a list that this message contains, if any. */
function pageOf({
  body,
  request,
}: SeenMessage): { items: readonly unknown[]; member: keyof typeof KEYS; next: unknown } | undefined {
  const member = request ? MEMBERS.get(request.method) : undefined;
  const result = own(body, 'result');
  if (member === undefined || !isObject(result)) return undefined;
  const items = own(result, member);
  return Array.isArray(items) ? { items, member, next: own(result, 'nextCursor') } : undefined;
}

/** Returns the tools of a page with their paths in the message. */
export function pageTools(
  seen: SeenMessage,
): { readonly tool: Readonly<Record<string, unknown>>; readonly path: FaultPath }[] {
  const page = pageOf(seen);
  if (page?.member !== 'tools') return [];
  return page.items.flatMap((tool, index) => (isObject(tool) ? [{ tool, path: ['result', 'tools', index] }] : []));
}

/** One pass over a list. A page belongs to the pass whose previous page returned its cursor. */
interface Reading {
  readonly cursors: Set<unknown>;
  readonly names: Map<unknown, number>;
  /** `cacheScope` of its first page, and that page. */
  scope?: { readonly value: unknown; readonly seq: number };
}

/** Returns a function that finds the pass a page belongs to. */
function readings() {
  const byCursor = new RecentMap<string, Reading>();
  return (seen: SeenMessage, next: unknown): Reading => {
    const cursor = seen.request === undefined ? undefined : seen.cursor;
    const key = (value: unknown) => `${seen.request?.method} ${JSON.stringify(value)}`;
    const reading: Reading = (cursor !== undefined && byCursor.get(key(cursor))) || {
      cursors: new Set(),
      names: new Map(),
    };
    if (next !== undefined) byCursor.set(key(next), reading);
    return reading;
  };
}

/** Rules about lists. */
export const LISTING_RULES: readonly ProtocolRule[] = [
  {
    id: 'cursor-loop',
    severity: 'error',
    title: 'Pagination loop',
    topic: 'pagination',
    advice: 'Give every page its own cursor. Leave nextCursor out of the last page.',
    checks: () => {
      const readingOf = readings();
      return {
        kinds: ['response'],
        message: (seen, _state, report) => {
          const page = pageOf(seen);
          if (page?.next === undefined || page.next === null) return;
          const { cursors } = readingOf(seen, page.next);
          if (seen.cursor !== undefined) cursors.add(seen.cursor);
          if (cursors.has(page.next)) {
            report({
              message: `This list has already used the cursor ${quote(page.next)}.`,
              path: ['result', 'nextCursor'],
              seqs: [seen.request!.seq],
            });
          }
          cursors.add(page.next);
        },
      };
    },
  },
  {
    id: 'duplicate-entry',
    severity: 'error',
    title: 'Duplicate entry in a list',
    topic: 'tools',
    advice: 'Give every tool and prompt its own name, and every resource its own URI.',
    checks: () => {
      const readingOf = readings();
      return {
        kinds: ['response'],
        message: (seen, _state, report) => {
          const page = pageOf(seen);
          if (!page) return;
          const { names } = readingOf(seen, page.next);
          for (const [index, item] of page.items.entries())
            reportDuplicate(seen, page.member, item, index, names, report);
        },
      };
    },
  },
  {
    id: 'cache-scope-differs',
    severity: 'error',
    title: 'Pages of a list with different cacheScope',
    topic: 'caching',
    advice: 'Send the same cacheScope with all pages of a list.',
    checks: () => {
      const readingOf = readings();
      return {
        kinds: ['response'],
        message: (seen, _state, report) => {
          const page = seen.modern ? pageOf(seen) : undefined;
          if (!page) return;
          const reading = readingOf(seen, page.next);
          const value = own(seen.body.result as JsonObject, 'cacheScope');
          reading.scope ??= { value, seq: seen.seq };
          // Other rules report a missing or unknown value.
          if (typeof value !== 'string' || typeof reading.scope.value !== 'string') return;
          if (value === reading.scope.value) return;
          report({
            message: `cacheScope is ${quote(value)}, but the first page has ${quote(reading.scope.value)}.`,
            path: ['result', 'cacheScope'],
            seqs: [reading.scope.seq],
          });
        },
      };
    },
  },
  {
    id: 'changed-while-fresh',
    severity: 'info',
    title: 'List that changed within its ttlMs',
    topic: 'caching',
    advice:
      'Say with list_changed that a list is another one, or declare a shorter ttlMs: until then clients use the old one.',
    checks: () => {
      /** The first page of each list, as it may be kept. */
      const kept = new Map<string, { readonly hash: string; readonly seq: number; readonly until: number }>();
      return {
        kinds: ['response', 'notification'],
        message: (seen, _state, report) => {
          for (const [list, { changed }] of LISTINGS) if (changed === seen.method) kept.delete(list);
          const page = seen.modern && seen.cursor === undefined ? pageOf(seen) : undefined;
          if (!page || !seen.request) return;
          const { method } = seen.request;
          const ttlMs = own(seen.body.result as JsonObject, 'ttlMs');
          const before = kept.get(method);
          const hash = textHash(JSON.stringify([page.items, page.next]));
          if (before && before.hash !== hash && seen.time < before.until) {
            report({
              message: 'It differs from the one before, which clients may still use.',
              path: ['result', page.member],
              seqs: [before.seq],
            });
          }
          const until = typeof ttlMs === 'number' ? seen.time + ttlMs * 1000 : 0;
          kept.set(method, { hash, seq: seen.seq, until });
        },
      };
    },
  },
  messageRule(
    {
      id: 'tool-name',
      kinds: ['response'],
      severity: 'warning',
      title: 'Discouraged tool name',
      topic: 'tools',
      advice: 'Use 1 to 128 characters: A–Z, a–z, 0–9, underscore, hyphen and dot.',
    },
    (seen, _state, report) => {
      // Earlier versions do not restrict names.
      if (seen.version === undefined || seen.version < '2025-11-25') return;
      for (const { tool, path } of pageTools(seen)) {
        const name = own(tool, 'name');
        if (typeof name !== 'string' || /^[\w.-]{1,128}$/.test(name)) continue;
        report({ message: `The tool name is ${quote(name)}.`, path: [...path, 'name'] });
      }
    },
  ),
];

function reportDuplicate(
  seen: SeenMessage,
  member: keyof typeof KEYS,
  item: unknown,
  index: number,
  names: Map<unknown, number>,
  report: ReportFinding,
): void {
  const name = isObject(item) ? own(item, KEYS[member]) : undefined;
  if (typeof name !== 'string') return;
  const before = names.get(name);
  names.set(name, seen.seq);
  if (before === undefined) return;
  report({
    message: `${quote(name)} is listed twice.`,
    path: ['result', member, index, KEYS[member]],
    ...(before !== seen.seq && { seqs: [before] }),
  });
}
