import type { FilterKey } from './filter-key';
import { pooledTest } from './pattern-key';

/** Of a log message, the least grave first (RFC 5424). */
const LEVELS = ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency'];

const COMPARED = /^(>=|<=|>|<)?([a-z]+)$/;

const COMPARISONS: ReadonlyMap<string | undefined, (rank: number, than: number) => boolean> = new Map([
  [undefined, (rank, than) => rank === than],
  ['>', (rank, than) => rank > than],
  ['>=', (rank, than) => rank >= than],
  ['<', (rank, than) => rank < than],
  ['<=', (rank, than) => rank <= than],
]);

/** How grave what the server logs is: a level, or all from or up to one. */
export const LEVEL_KEY: FilterKey = {
  name: 'level',
  meaning: 'A log message of the server (notifications/message) as grave as this, from debug to emergency',
  wants: 'a level',
  examples: ['error', '>=warning', '<info'],
  suggestions: [...LEVELS, '>=warning'].map((value) => ({ value })),
  asksForHidden: () => false,
  faultOf: ({ value }) =>
    readLevels(value)
      ? undefined
      : `level: takes ${LEVELS.slice(0, -1).join(', ')} or ${LEVELS.at(-1)}, or what is as grave: >=warning.`,
  testFor: ({ value }, subject) => {
    const { columns } = subject.log;
    return pooledTest(subject, readLevels(value)!, (index) =>
      columns.method(index) === 'notifications/message' ? columns.nameNumber(index) : 0,
    );
  },
};

/** Whether the level of a message is meant; undefined if the value names none. A level that is none never is. */
function readLevels(value: string): ((level: string) => boolean) | undefined {
  const [, sign, name = ''] = COMPARED.exec(value.toLowerCase()) ?? [];
  const than = LEVELS.indexOf(name);
  const compare = COMPARISONS.get(sign)!;
  if (than < 0) return undefined;
  return (level) => {
    const rank = LEVELS.indexOf(level.toLowerCase());
    return rank >= 0 && compare(rank, than);
  };
}
