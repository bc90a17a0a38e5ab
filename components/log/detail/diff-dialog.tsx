import { useMemo } from 'react';
import { TextDiff } from '@/components/editor/text-diff';
import { Dialog } from '@/components/ui/dialog';
import { TextNotLoaded } from '@/components/ui/notices';
import { visibleText } from '@/components/ui/visible-text';
import { useFrameBytes } from '@/lib/hooks/log';
import { prettyJson } from '@/lib/json/exact';
import type { Log } from '@/lib/store/log';
import { rowLabel } from '@/lib/store/rows/row-text';
import { formatBytes } from '@/lib/wire/format';
import { LIMITS } from '@/lib/wire/limits';

/** Compares two frames side by side, the older one first. */
export function DiffDialog({
  log,
  seqs,
  onClose,
}: {
  readonly log: Log;
  readonly seqs: readonly [number, number];
  readonly onClose: () => void;
}) {
  const [first, second] = [Math.min(...seqs), Math.max(...seqs)];
  const large = Math.max(log.row(first - 1).bytes, log.row(second - 1).bytes);
  const bytes = useFrameBytes(log, seqs);
  const [before, after] = useMemo(
    () =>
      large > LIMITS.formattedBytes || bytes !== 'here' ? ['', ''] : [frameText(log, first), frameText(log, second)],
    [log, first, second, large, bytes],
  );
  const title = `#${first} and #${second}`;
  return (
    <Dialog title={`Compare ${title}`} width="widest" onClose={onClose}>
      <div className="grid grid-cols-2 gap-2 pb-2 font-mono text-wire text-muted">
        <Title log={log} seq={first} />
        <Title log={log} seq={second} />
      </div>
      {large > LIMITS.formattedBytes ? (
        <p className="p-2">
          One message is {formatBytes(large)}. The limit here is {formatBytes(LIMITS.formattedBytes)}. Save both from
          the Raw tab and compare the files.
        </p>
      ) : bytes !== 'here' ? (
        <TextNotLoaded gone={bytes === 'gone'} />
      ) : before === after ? (
        <p className="p-2">No differences, apart from white space</p>
      ) : (
        <TextDiff label={`Differences between ${title}`} before={before} after={after} className="h-[62vh]" />
      )}
    </Dialog>
  );
}

function Title({ log, seq }: { readonly log: Log; readonly seq: number }) {
  const { what, about } = rowLabel(log.row(seq - 1));
  return (
    <p className="truncate">
      #{seq} {visibleText(what.slice(0, 100))} <bdi>{visibleText(about?.slice(0, 100) ?? '')}</bdi>
    </p>
  );
}

/** Returns JSON indented for comparison, and other text unchanged. */
function frameText(log: Log, seq: number): string {
  const text = log.text(seq - 1);
  return log.json(seq - 1) === undefined ? text : prettyJson(text);
}
