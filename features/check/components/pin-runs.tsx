import { runLabel, runsOf } from '@/components/exchange/connection-labels';
import { Badge } from '@/components/ui/badge';
import { pinStatus } from '@/features/check/lib/pins/pin-results';
import type { PinEntry } from '@/features/check/lib/pins/pins-api';
import { useConnections } from '@/lib/hooks/connections';
import { navigate } from '@/lib/hooks/location';
import { useLog } from '@/lib/hooks/log';
import type { ConnectionSummary } from '@/lib/wire/command';
import { STATUS_WORDS, timeText } from './pin-words';
import { usePinResults } from './use-pin-results';

/** Older runs that are listed. */
const MOST_OLDER = 4;

/** The verdicts on a call in the runs before the one that is shown, newest first. Draws nothing for the first run. */
export function PinRuns({ connection, pin }: { readonly connection: string; readonly pin: PinEntry }) {
  const { connections } = useConnections();
  const shown = connections.find(({ id }) => id === connection);
  if (!shown || shown.recording) return null;
  const runs = runsOf(connections, shown);
  const older = runs.slice(0, Math.max(0, runs.indexOf(shown))).slice(-MOST_OLDER);
  if (older.length === 0) return null;
  return (
    <ul aria-label="Earlier runs" className="flex min-w-0 flex-wrap gap-x-4 gap-y-1 text-muted">
      {older.reverse().map((run) => (
        <PinRun key={run.id} run={run} pin={pin} />
      ))}
    </ul>
  );
}

function PinRun({ run, pin }: { readonly run: ConnectionSummary; readonly pin: PinEntry }) {
  const outcome = usePinResults(useLog(run.id)).outcomes.get(pin.key);
  const { glyph, word, tone, about } = STATUS_WORDS[outcome?.verdict ?? pinStatus(pin, undefined)];
  return (
    <li className="tabular flex items-baseline gap-1.5">
      <button
        type="button"
        title="Show the call in this run"
        className="text-link"
        onClick={() => navigate({ connection: run.id, panel: 'pins', item: pin.key })}
      >
        {runLabel(run)}
      </button>
      <span title={about}>
        <Badge tone={tone}>
          {glyph} {word}
        </Badge>
      </span>
      {outcome && outcome.verdict !== 'skipped' && timeText({ ms: outcome.ms })}
    </li>
  );
}
