import { isObject, own } from '@/lib/json/value';
import type { Path } from '@/lib/protocol/checks';
import { LISTINGS } from '@/lib/protocol/methods';
import { RecentMap } from '@/lib/store/columns/collections';
import type { SeenMessage } from '../protocol-state';
import { messageRule, quote, type Report, type Rule } from '../rule';

const KEYS = { tools: 'name', prompts: 'name', resources: 'uri', resourceTemplates: 'uriTemplate' } as const;
const MEMBERS = new Map(LISTINGS.map(([method, { items }]) => [method, items]));

/** The page that this message is, if it is one. */
function pageOf({
  kind,
  body,
  ask,
}: SeenMessage): { items: readonly unknown[]; member: keyof typeof KEYS; next: unknown } | undefined {
  const member = kind === 'response' && ask ? MEMBERS.get(ask.method) : undefined;
  const result = own(body, 'result');
  if (member === undefined || !isObject(result)) return undefined;
  const items = own(result, member);
  return Array.isArray(items) ? { items, member, next: own(result, 'nextCursor') } : undefined;
}

/** Tools of a page, with their place in the message. */
export function toolsOf(
  seen: SeenMessage,
): { readonly tool: Readonly<Record<string, unknown>>; readonly path: Path }[] {
  const page = pageOf(seen);
  if (page?.member !== 'tools') return [];
  return page.items.flatMap((tool, index) => (isObject(tool) ? [{ tool, path: ['result', 'tools', index] }] : []));
}

/** Which reading a page belongs to is told by its cursor: the pages before it led there. */
interface Reading {
  readonly cursors: Set<unknown>;
  readonly names: Map<unknown, number>;
}

/** What is remembered of readings: each page's continues the one that gave its cursor. */
function readings() {
  const byCursor = new RecentMap<string, Reading>();
  return (seen: SeenMessage, next: unknown): Reading => {
    const cursor = seen.ask === undefined ? undefined : seen.cursor;
    const key = (value: unknown) => `${seen.ask?.method} ${JSON.stringify(value)}`;
    const reading = (cursor !== undefined && byCursor.get(key(cursor))) || { cursors: new Set(), names: new Map() };
    if (next !== undefined) byCursor.set(key(next), reading);
    return reading;
  };
}

/** What lists have to keep to. */
export const LISTING_RULES: readonly Rule[] = [
  {
    id: 'cursor-loop',
    severity: 'error',
    title: 'A list without an end',
    topic: 'pagination',
    advice: 'Give every page a cursor of its own, and leave nextCursor out of the last one.',
    checks: () => {
      const readingOf = readings();
      return {
        kinds: ['response'],
        message: (seen, _session, report) => {
          const page = pageOf(seen);
          if (page?.next === undefined || page.next === null) return;
          const { cursors } = readingOf(seen, page.next);
          if (seen.cursor !== undefined) cursors.add(seen.cursor);
          if (cursors.has(page.next)) {
            report({
              message: `The cursor ${quote(page.next)} led here already.`,
              path: ['result', 'nextCursor'],
              seqs: [seen.ask!.seq],
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
    title: 'Two entries of one name',
    topic: 'tools',
    advice: 'Make names of tools and prompts, and URIs of resources, unique: only one of the two can be meant.',
    checks: () => {
      const readingOf = readings();
      return {
        kinds: ['response'],
        message: (seen, _session, report) => {
          const page = pageOf(seen);
          if (!page) return;
          const { names } = readingOf(seen, page.next);
          for (const [index, item] of page.items.entries()) tellTwin(seen, page.member, item, index, names, report);
        },
      };
    },
  },
  messageRule(
    {
      id: 'tool-name',
      kinds: ['response'],
      severity: 'warning',
      title: 'A name that a tool should not have',
      topic: 'tools',
      advice: 'Use 1 to 128 of the characters A–Z, a–z, 0–9, _, - and the dot.',
    },
    (seen, _session, report) => {
      // Earlier versions say nothing about names.
      if (seen.version === undefined || seen.version < '2025-11-25') return;
      for (const { tool, path } of toolsOf(seen)) {
        const name = own(tool, 'name');
        if (typeof name !== 'string' || /^[\w.-]{1,128}$/.test(name)) continue;
        report({ message: `A tool is called ${quote(name)}.`, path: [...path, 'name'] });
      }
    },
  ),
];

function tellTwin(
  seen: SeenMessage,
  member: keyof typeof KEYS,
  item: unknown,
  index: number,
  names: Map<unknown, number>,
  report: Report,
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
