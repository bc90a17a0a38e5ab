import { httpRow } from '@/lib/store/http-row';
import { previewLifecycle } from '@/lib/store/preview';
import { KINDS, type Kind } from '@/lib/store/row';
import type { Filter } from './ast';
import { pooledTest } from './keys/pattern-key';
import { KEYS } from './keys/registry';
import { needleOf } from './needle';
import type { Subject } from './subject';

/** Whether the row at a log index fits. */
export type Judge = (index: number) => boolean;

/** What is cheap to ask is asked first. */
const COST: Readonly<Record<Filter['type'], number>> = { field: 0, not: 1, all: 1, any: 1, text: 2 };

/** Makes a filter a test of rows. It may be asked again about rows that have changed. */
export function compileFilter(filter: Filter, subject: Subject): Judge {
  switch (filter.type) {
    case 'field':
      return KEYS.get(filter.key)!.testFor(filter, subject);
    case 'text':
      return textTest(filter.text, subject);
    case 'not': {
      const test = compileFilter(filter.part, subject);
      return (index) => !test(index);
    }
    case 'all':
      return allTest(sorted(filter.parts, subject));
    case 'any':
      return anyTest(sorted(filter.parts, subject));
  }
}

/** True if the filter names what only tells how messages travelled, so that such rows are to be shown. */
export function asksForHttp(filter: Filter | undefined): boolean {
  if (filter === undefined) return false;
  if (filter.type === 'all' || filter.type === 'any') return filter.parts.some(asksForHttp);
  return filter.type === 'field' && KEYS.get(filter.key)!.asksForHttp(filter);
}

function sorted(parts: readonly Filter[], subject: Subject): Judge[] {
  return parts.toSorted((a, b) => costOf(a) - costOf(b)).map((part) => compileFilter(part, subject));
}

function costOf(filter: Filter): number {
  if (filter.type === 'not') return costOf(filter.part);
  if (filter.type === 'all' || filter.type === 'any') return Math.max(...filter.parts.map(costOf));
  return COST[filter.type];
}

function allTest(tests: readonly Judge[]): Judge {
  return (index) => {
    for (const test of tests) if (!test(index)) return false;
    return true;
  };
}

function anyTest(tests: readonly Judge[]): Judge {
  return (index) => {
    for (const test of tests) if (test(index)) return true;
    return false;
  };
}

/** The text occurs in the frame's bytes, or in what its row shows. */
function textTest(text: string, subject: Subject): Judge {
  const { log } = subject;
  const { columns } = log;
  const wanted = text.toLowerCase();
  const needle = needleOf(text);
  const includes = (shown: string) => shown.toLowerCase().includes(wanted);
  const inMethod = pooledTest(subject, includes, (index) => columns.methodNumber(columns.about(index)));
  const inName = pooledTest(subject, includes, (index) => columns.nameNumber(columns.about(index)));
  const inKind = new Set<Kind>(KINDS.filter(includes));
  return (index) => {
    const kind = columns.kind(index);
    if (inKind.has(kind) || inMethod(index) || inName(index) || needle.isIn(log.bytes(index))) return true;
    if (kind === 'lifecycle') return includes(previewLifecycle(log.text(index)));
    if (kind !== 'http') return false;
    const { what, about, status } = httpRow(index + 1, log.text(index), log.httpExchange(columns.exchange(index)));
    return includes(`${what} ${about ?? ''} ${status ?? ''}`);
  };
}
