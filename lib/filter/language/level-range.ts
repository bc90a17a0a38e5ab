import { LOG_LEVELS } from '@/lib/wire/protocol-names';

export const FILTER_LEVELS: readonly string[] = LOG_LEVELS;

const COMPARED = /^(>=|<=|>|<)?([a-z]+)$/;

const COMPARISONS: ReadonlyMap<string | undefined, (rank: number, than: number) => boolean> = new Map([
  [undefined, (rank, than) => rank === than],
  ['>', (rank, than) => rank > than],
  ['>=', (rank, than) => rank >= than],
  ['<', (rank, than) => rank < than],
  ['<=', (rank, than) => rank <= than],
]);

/** Returns a test for levels, or undefined if the value names none. An unknown level never matches. */
export function readLevels(value: string): ((level: string) => boolean) | undefined {
  const [, sign, name = ''] = COMPARED.exec(value.toLowerCase()) ?? [];
  const than = FILTER_LEVELS.indexOf(name);
  const compare = COMPARISONS.get(sign)!;
  if (than < 0) return undefined;
  return (level) => {
    const rank = FILTER_LEVELS.indexOf(level.toLowerCase());
    return rank >= 0 && compare(rank, than);
  };
}
