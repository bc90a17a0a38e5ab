import { Button, CopyButton } from '@/components/ui/button';
import type { ListedRecording } from '@/features/team/lib/summary/listed-recording';
import { patchQuery } from '@/lib/hooks/location';
import { formatCount } from '@/lib/wire/format';

/** Characters of a digest that find a recording. */
const DIGEST_CHARS = 16;

/** The actions on the chosen recordings, or on the one under the cursor. */
export function BucketActions({
  place,
  chosen,
  acted,
  done,
  onOpen,
  onCompare,
  onSave,
  onClear,
}: {
  readonly place: string;
  readonly chosen: ReadonlyMap<string, ListedRecording>;
  readonly acted: readonly ListedRecording[];
  /** The result of the last action. */
  readonly done: string;
  readonly onOpen: (row: ListedRecording) => void;
  readonly onCompare: (one: ListedRecording, other: ListedRecording) => void;
  readonly onSave: (rows: readonly ListedRecording[]) => void;
  readonly onClear: () => void;
}) {
  const [one, other] = acted;
  const single = acted.length === 1 ? one : undefined;
  return (
    <div className="flex min-h-7 flex-wrap items-center gap-2">
      <Button size="small" disabled={!single} onClick={() => single && onOpen(single)}>
        Open
      </Button>
      <Button
        size="small"
        disabled={acted.length !== 2}
        title="Choose two recordings. Both are downloaded."
        onClick={() => one && other && onCompare(one, other)}
      >
        Compare
      </Button>
      <Button size="small" disabled={acted.length === 0} onClick={() => onSave(acted)}>
        Copy to this machine
      </Button>
      {single && (
        <>
          <CopyButton label="Copy command" text={() => `mcp-inspect open ${place}/${single.key}`} />
          <CopyButton label="Copy link" text={() => linkTo(single)} />
        </>
      )}
      <span className="ml-auto flex items-center gap-2 text-small text-muted">
        <span role="status">{done}</span>
        {chosen.size > 0 && (
          <>
            <span className="tabular">{formatCount(chosen.size)} chosen</span>
            <Button size="small" variant="ghost" onClick={onClear}>
              Clear
            </Button>
          </>
        )}
      </span>
    </div>
  );
}

/** Returns the address of this page with only that recording in the list. */
function linkTo({ key }: ListedRecording): string {
  const { origin, pathname } = window.location;
  const digest = key.slice(key.lastIndexOf('/') + 1).slice(0, DIGEST_CHARS);
  return `${origin}${pathname}${patchQuery('', { page: 'recordings', source: 'bucket', q: digest })}`;
}
