import { Icon } from '@/components/ui/icon';
import { visibleText } from '@/components/ui/visible-text';
import { navigate } from '@/lib/hooks/location';
import type { InterceptedMessage } from '@/lib/store/exchanges/interceptions';
import type { Held } from '@/lib/store/state/interception-state';
import { formatPart } from '@/lib/wire/did-words';

/** Says that a rule holds the newest request or its response, or else what *Hold* did to the messages of the call. */
export default function HeldNote({
  held,
  done,
}: {
  readonly held: Held | undefined;
  readonly done: readonly InterceptedMessage[];
}) {
  if (held) {
    const what = `The ${partOf(held)} is ${held.ms === undefined ? 'held' : 'delayed'} by rule “${visibleText(held.rule)}”`;
    return <Line text={what} hold={held.hold} colour="text-accent" />;
  }
  return done.map(({ event, seq }) => <Line key={seq} text={formatPart(event)} hold={event.hold} colour="text-warn" />);
}

function partOf({ direction }: Held): string {
  return direction === 'to-server' ? 'request' : 'response';
}

function Line({
  text,
  hold,
  colour,
}: {
  readonly text: string;
  readonly hold: number | undefined;
  readonly colour: string;
}) {
  return (
    <p role="status" className={`flex min-w-0 items-center gap-1.5 ${colour}`}>
      <Icon name="hand" />
      <span className="min-w-0 break-words">{text}</span>
      <button
        type="button"
        className="shrink-0 text-link"
        onClick={() => navigate({ panel: 'intercept', item: hold === undefined ? 'done' : `hold-${hold}` })}
      >
        Show it
      </button>
    </p>
  );
}
