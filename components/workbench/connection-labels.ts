import { visibleText } from '@/components/ui/visible-text';
import type { ConnectionSummary } from '@/lib/wire/command';

/** What each connection is called on the page, by id: its name, from the second of that name on with a number. */
export function connectionLabels(connections: readonly ConnectionSummary[]): ReadonlyMap<string, string> {
  const counts = new Map<string, number>();
  return new Map(
    connections.map(({ id, name }) => {
      const shown = visibleText(name);
      const count = (counts.get(shown) ?? 0) + 1;
      counts.set(shown, count);
      return [id, count === 1 ? shown : `${shown} (${count})`];
    }),
  );
}
