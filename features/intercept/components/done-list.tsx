import { FrameLink } from '@/components/exchange/frame-link';
import { heldTitle } from '@/components/exchange/held-words';
import { EmptyState } from '@/components/ui/notices';
import { visibleText } from '@/components/ui/visible-text';
import type { Done, InterceptionState } from '@/lib/store/state/interception-state';
import { DID_WORDS } from '@/lib/wire/did-words';
import { formatCount, formatDuration } from '@/lib/wire/format';

/** Interceptions that are listed. The log has all of them. */
const MOST_LISTED = 200;

/** The messages that were intercepted, newest first. */
export function DoneList({
  state: { done, count },
  past,
}: {
  readonly state: InterceptionState;
  readonly past: boolean;
}) {
  if (done.length === 0) {
    return (
      <EmptyState title={past ? 'No message was intercepted' : 'No message was intercepted yet'}>
        {past
          ? 'While a connection is open, this panel holds and changes its messages'
          : 'Messages that you or a rule intercepted appear here'}
      </EmptyState>
    );
  }
  const listed = done.slice(0, MOST_LISTED);
  return (
    <div className="flex min-h-0 flex-1 flex-col gap-2 overflow-auto p-3">
      <h2 className="font-medium">Intercepted</h2>
      {listed.length < count && (
        <p className="text-small text-muted">
          The newest {formatCount(listed.length)} of {formatCount(count)}. The log has all of them
        </p>
      )}
      <ul aria-label="Intercepted messages" className="flex flex-col">
        {listed.map((entry) => (
          <DoneItem key={`${entry.seq} ${entry.hold}`} entry={entry} />
        ))}
      </ul>
    </div>
  );
}

function DoneItem({ entry }: { readonly entry: Done }) {
  const { direction, id, rule, held, waitedMs, seq } = entry;
  return (
    <li className="flex min-w-0 flex-wrap items-baseline gap-x-2 border-t border-line py-1">
      <span className="tabular w-14 shrink-0 text-small">
        <FrameLink seq={seq} label="Event" short />
      </span>
      <span className="min-w-0 truncate font-mono text-wire">
        {direction === 'to-server' ? '→' : '←'} {heldTitle(entry)}
        {id !== undefined && <span className="text-muted"> id {visibleText(JSON.stringify(id).slice(0, 100))}</span>}
      </span>
      <span className={didColour(entry)}>{didWords(entry)}</span>
      {held?.givenUp && <span className="text-warn">cancelled while held</span>}
      <span className="min-w-0 flex-1 truncate text-right text-small text-muted">
        {rule !== undefined && visibleText(rule)}
        {waitedMs !== undefined && ` · after ${formatDuration(waitedMs * 1000)}`}
      </span>
    </li>
  );
}

const WHY: ReadonlyMap<string, string> = new Map([
  ['too-large', 'too large to hold'],
  ['too-many', 'too many waited'],
  ['owner-gone', 'its rule is gone'],
  ['client-left', 'the client closed its request'],
  ['connection-ended', 'the connection ended'],
  ['not-recorded', 'no recorded answer'],
]);

/** Says what was done to a message, and why if that was not decided by a rule or a person. */
export function didWords({ did, why, lost, held, delivered }: Done): string {
  if (lost) return lost === 'recording' ? 'held at the end of this recording' : 'dropped: the connection ended';
  // The text was changed by a person, which is a replacement too.
  const words = did === 'duplicate' ? `passed on ${delivered} times` : (DID_WORDS.get(did) ?? did);
  const byPerson = held !== undefined && held.ms === undefined && why === undefined && did === 'delay';
  return `${byPerson ? 'delayed by you' : words}${why === undefined ? '' : `: ${WHY.get(why) ?? why}`}`;
}

function didColour({ did, why, lost }: Done): string {
  if (lost || did === 'drop' || did === 'cut' || did === 'error') return 'text-warn';
  return why === undefined ? 'text-text' : 'text-muted';
}
