import { visibleText } from '@/components/ui/visible-text';
import type { ConnectionSummary } from '@/lib/wire/command';
import { isLive } from './state-words';

/**
 * What tells a connection from others of the same server: the name somebody `given` it, what its server calls itself, what it is and
 * when it began.
 */
export function sideTitle(
  { name, recording, state, startedAt }: Pick<ConnectionSummary, 'name' | 'recording' | 'state' | 'startedAt'>,
  given: string,
  server: string | undefined,
): string {
  const when = new Date(startedAt);
  const time = Number.isNaN(when.getTime()) ? '' : when.toLocaleString();
  const what = recording ? 'recorded' : isLive(state) ? 'live, since' : 'ended, from';
  return [...new Set([given, server || name].filter(Boolean)), [what, time].filter(Boolean).join(' ')]
    .map(visibleText)
    .join(' · ');
}
