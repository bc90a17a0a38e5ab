import { DROP_KEYS } from '@/components/ui/old-keys';
import { useShortcuts } from '@/components/ui/shortcuts';
import type { Held } from '@/lib/store/state/interception-state';

const NEXT_KEY = 'v';
const PREVIOUS_KEY = 'V';

interface HeldKeys {
  readonly waiting: readonly Held[];
  /** The message in view. It may be one that waits no longer. */
  readonly hold: number | undefined;
  readonly onShow: (hold: number) => void;
  readonly onDrop: (hold: number) => void;
}

/** Keys to go through held messages, and to drop the one in view. Its editor has the one that releases it. */
export function useHeldKeys({ waiting, hold, onShow, onDrop }: HeldKeys): void {
  const waits = hold !== undefined && waiting.some((held) => held.hold === hold);
  const step = (by: 1 | -1) => {
    const next = neighbourOf(waiting, hold, by);
    if (next !== undefined) onShow(next.hold);
  };
  useShortcuts([
    ...(waiting.length > 0
      ? [
          { keys: NEXT_KEY, title: 'Show the next held message', run: () => step(1) },
          { keys: PREVIOUS_KEY, title: 'Show the previous held message', run: () => step(-1) },
        ]
      : []),
    ...(waits ? [{ keys: DROP_KEYS, title: 'Drop the held message', run: () => onDrop(hold) }] : []),
  ]);
}

/** Returns the waiting message after or before a hold, which may have ended; at the end, the one at the other end. */
export function neighbourOf(waiting: readonly Held[], hold: number | undefined, by: 1 | -1): Held | undefined {
  if (hold === undefined) return by === 1 ? waiting[0] : waiting.at(-1);
  const beyond = by === 1 ? waiting.find((held) => held.hold > hold) : waiting.findLast((held) => held.hold < hold);
  return beyond ?? (by === 1 ? waiting[0] : waiting.at(-1));
}

/** Returns the held response to a request that was held before it. */
export function responseTo(request: Held, waiting: readonly Held[]): Held | undefined {
  const { kind, id, direction } = request;
  if (kind !== 'request' || id === undefined) return undefined;
  return waiting.find((one) => one.kind !== 'request' && one.id === id && one.direction !== direction);
}
