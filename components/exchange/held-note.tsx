import { Icon } from '@/components/ui/icon';
import { visibleText } from '@/components/ui/visible-text';
import { navigate } from '@/lib/hooks/location';
import type { Held } from '@/lib/store/state/interception-state';
import { holdsRequest } from './holds-request';
import type { Request } from './use-request';

/** Says that a rule holds the newest request, or its response. Draws nothing otherwise. */
export default function HeldNote({
  request,
  waiting,
}: {
  readonly request: Request;
  readonly waiting: readonly Held[];
}) {
  const held = waiting.findLast((one) => holdsRequest(one, request));
  if (!held) return null;
  const what = held.direction === 'to-server' ? 'request' : 'response';
  return (
    <p role="status" className="flex min-w-0 items-center gap-1.5 text-accent">
      <Icon name="pause" />
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
