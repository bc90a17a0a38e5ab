import type { Log } from '@/lib/store/log';
import type { ResourceEntry } from '@/lib/store/state';
import { ReadView } from './read-view';
import { ResourceFacts } from './resource-facts';

interface ResourceDetailProps {
  readonly log: Log;
  readonly uri: string;
  /** undefined for a uri that is not listed. */
  readonly resource: ResourceEntry | undefined;
}

/** One resource: what it says of itself, and what it holds. */
export function ResourceDetail({ log, uri, resource }: ResourceDetailProps) {
  return (
    <div className="flex min-h-0 flex-1 flex-col gap-3 overflow-auto p-3">
      <ResourceFacts entry={resource} uri={uri} />
      <ReadView log={log} uri={uri} />
    </div>
  );
}
