import { formatCount } from '@/components/ui/format';

/** How far the page is with a log of which `behind` of `last` frames are still to come: nothing happens in a recording, it is read. */
export function behindWords(behind: number, last: number, recorded: boolean): string {
  if (!recorded) return `${formatCount(behind)} frames behind`;
  return `Reading: ${Math.floor(((last - behind) / last) * 100)} %`;
}
