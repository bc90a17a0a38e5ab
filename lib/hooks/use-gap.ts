import type { Log } from '@/lib/store/log';
import type { RecordingFacts } from '@/lib/wire/recording-facts';
import { useConnections } from './use-connections';

/** Why frames that there were are not in a log: it is a part of a recording, or some could not be read. */
export type Gap = 'part' | 'damage';

/** Undefined if nothing is known to be missing. */
function gapOf(recording: RecordingFacts | undefined): Gap | undefined {
  if (!recording) return undefined;
  const { selection, report, lacks, failure } = recording;
  if (
    (report && report.damaged.count + report.missing > 0) ||
    lacks?.damaged ||
    lacks?.missing ||
    failure !== undefined
  ) {
    return 'damage';
  }
  return selection && 'part';
}

/** What is known to be missing of what is shown. */
export function useGap(log: Log): Gap | undefined {
  const { connections } = useConnections();
  return gapOf(connections.find(({ id }) => id === log.connection)?.recording);
}
