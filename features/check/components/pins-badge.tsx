import { usePaletteCommands } from '@/components/ui/shortcuts';
import { pinStatus } from '@/features/check/lib/pins/pin-results';
import type { PinsReply } from '@/features/check/lib/pins/pins-api';
import { useClient } from '@/lib/hooks/client';
import type { Log } from '@/lib/store/log';
import { formatCount } from '@/lib/wire/format';
import { usePinActions } from './use-pin-actions';
import { usePinResults } from './use-pin-results';
import { usePins } from './use-pins';

/** The number of pinned calls that changed or broke. Also offers to run them, in the palette. */
export function PinsBadge({ log }: { readonly log: Log }) {
  const { api } = useClient();
  const { file, readAgain } = usePins(false);
  return api && file ? <Failing log={log} file={file} readAgain={readAgain} /> : null;
}

function Failing({
  log,
  file: { pins },
  readAgain,
}: {
  readonly log: Log;
  readonly file: PinsReply;
  readonly readAgain: () => void;
}) {
  const { outcomes } = usePinResults(log);
  const { closed, play } = usePinActions(log, pins, readAgain);
  usePaletteCommands(() =>
    pins.length > 0 && closed === undefined
      ? [{ title: 'Run all pinned calls', isGeneral: true, run: () => play() }]
      : [],
  );
  const statuses = pins.map((pin) => pinStatus(pin, outcomes.get(pin.key)));
  const count = statuses.filter((status) => status === 'changed' || status === 'broken').length;
  return count > 0 && <span className="text-error">{formatCount(count)}</span>;
}
