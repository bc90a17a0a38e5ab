import { HOST_STATES, type HostObstacle, type HostState, type HostVerdict } from '@/features/host-judge';
import { countOf } from '@/lib/wire/format';

/** The states, the worst first. */
const ORDER: readonly HostState[] = ['fails', 'loses', 'unknown', 'no-obstacle', 'out-of-reach'];

/** The loss by an obstacle, in words. */
export const LOSS_LABELS: Readonly<Record<HostObstacle['loses'], string>> = {
  server: 'server lost',
  'all-tools': 'all tools lost',
  tool: 'tools lost',
  result: 'results lost',
  feature: 'part lost',
};

/** Sorts verdicts, the worst first. Those with the same state stay in order. */
export function worstFirst(verdicts: readonly HostVerdict[]): readonly HostVerdict[] {
  return verdicts.toSorted((a, b) => ORDER.indexOf(a.state) - ORDER.indexOf(b.state));
}

/** Counts the obstacles: “2 obstacles”, or “2 reported obstacles” if only users say so. '' for none. */
export function obstacleCount({ obstacles }: Pick<HostVerdict, 'obstacles'>): string {
  const isReported = obstacles.every((obstacle) => obstacle.isReported);
  return obstacles.length === 0 ? '' : countOf(obstacles.length, isReported ? 'reported obstacle' : 'obstacle');
}

/** Returns a sentence or a state with a capital at its start. */
export function sentenceCase(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Returns the title of a host as it stands alone, without its article. */
export function hostLabel({ title }: Pick<HostVerdict, 'title'>): string {
  return title.replace(/^the /, '');
}

/**
 * Sums up the verdicts on some hosts: “Claude Code: 2 obstacles”. Hosts without obstacles are named only if no host
 * has any. '' if all are out of reach.
 */
export function verdictsInShort(verdicts: readonly HostVerdict[]): string {
  const judged = worstFirst(verdicts).filter(({ state }) => state !== 'out-of-reach');
  const blocked = judged.filter(({ obstacles }) => obstacles.length > 0);
  return (blocked.length > 0 ? blocked : judged)
    .map((one) => `${hostLabel(one)}: ${obstacleCount(one) || HOST_STATES[one.state]}`)
    .join(', ');
}
