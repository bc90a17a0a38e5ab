import { useState } from 'react';
import { Button } from '@/components/ui/button';
import type { ReadOnProps } from '@/features/page-feature';
import { formatBytes, formatCount } from '@/lib/wire/format';
import { useAskBucket } from './use-bucket';

/** Says how many rows of a recording in a bucket are read, and reads the others when a person wants them. */
export function ReadOn({ connection, waiting: { frames, bytes }, rows }: ReadOnProps) {
  const ask = useAskBucket();
  const [asked, setAsked] = useState(false);
  const read = () => {
    setAsked(true);
    ask({ kind: 'read-on', connection }).catch(() => setAsked(false));
  };
  return (
    <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
      <span role="status" className="tabular text-muted">
        {formatCount(rows)} of {formatCount(frames)} frames read
      </span>
      <Button
        size="small"
        disabled={asked}
        onClick={read}
        title="Search, problems and timeline cover what is read. Messages are fetched when you open them."
      >
        Read the others ({formatBytes(bytes)})
      </Button>
    </span>
  );
}
