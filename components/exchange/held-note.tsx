import { Icon } from '@/components/ui/icon';
import { visibleText } from '@/components/ui/visible-text';
import { navigate } from '@/lib/hooks/location';
import type { Held } from '@/lib/store/state/interception-state';

/** Says that a rule holds the newest request, or its response. */
export default function HeldNote({ held }: { readonly held: Held }) {
  const what = held.direction === 'to-server' ? 'request' : 'response';
  return (
    <p role="status" className="flex min-w-0 items-center gap-1.5 text-accent">
      <Icon name="hand" />
      <span className="min-w-0 break-words">
        The {what} is {held.ms === undefined ? 'held' : 'delayed'} by rule “{visibleText(held.rule)}”
      </span>
      <button
        type="button"
        className="shrink-0 text-link"
        onClick={() => navigate({ panel: 'intercept', item: `hold-${held.hold}` })}
      >
        Show it
      </button>
    </p>
  );
}
