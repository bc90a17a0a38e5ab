import type { MessageAction } from '@/features/page-feature';
import { allOf } from '@/lib/filter/language/ast';
import { printFilter } from '@/lib/filter/print';
import { rowTerms } from '@/lib/filter/row-terms';
import { navigate } from '@/lib/hooks/location';
import type { Row } from '@/lib/store/rows/row';
import { INTERCEPT_LIMITS, type InterceptRule } from '@/lib/wire/intercept';
import { useIntercepting } from './page-rules';
import { WANTED_RULE } from './wanted-rule';

const MESSAGES: ReadonlySet<Row['kind']> = new Set(['request', 'notification', 'response', 'error']);
/** Keys of the terms that later messages can match too. */
const LASTING: ReadonlySet<string> = new Set(['method', 'tool', 'prompt', 'uri', 'name']);

/** Opens a new rule for messages like one. */
export const holdLike: MessageAction = {
  label: (which) => `Hold ${which}…`,
  useRun: (log) => {
    const { past, closed } = useIntercepting(log);
    return (row, request) => {
      const rule = past || closed !== undefined ? undefined : ruleLike(row, request);
      if (!rule) return undefined;
      return () => {
        WANTED_RULE.set(log.whole, rule);
        navigate({ panel: 'intercept', item: 'rules' });
      };
    };
  },
};

/**
 * Returns a rule that holds messages like this one: the same method and tool, in the same direction. `request`: the row
 * of its request, for a response. undefined for anything but a message with a method.
 */
export function ruleLike(row: Row, request: Row | undefined): InterceptRule | undefined {
  if (!MESSAGES.has(row.kind)) return undefined;
  const isResponse = row.kind === 'response' || row.kind === 'error';
  const described = isResponse ? request : row;
  if (described?.method === undefined) return undefined;
  const { method, name } = described;
  const terms = rowTerms(described).terms.filter(({ key }) => LASTING.has(key));
  // A response has the method of its request, so the kind tells them apart.
  const what = `${method}${name ? ` ${name}` : ''}`;
  return {
    name: `${isResponse ? 'Hold responses to' : 'Hold'} ${what}`.slice(0, INTERCEPT_LIMITS.nameChars),
    direction: row.direction,
    when: printFilter(allOf(terms)),
    action: { do: 'hold' },
  };
}
