import { useMemo } from 'react';
import { TextDiff } from '@/components/editor/text-diff';
import { Dialog } from '@/components/ui/dialog';
import { prettyJson } from '@/lib/json/exact';
import { formatBytes } from '@/lib/wire/format';
import { LIMITS } from '@/lib/wire/limits';

/** One of two answers, and the line above it. */
interface AnswerSide {
  readonly title: string;
  /** JSON text. */
  readonly text: string;
}

/** Two answers to a call, side by side. */
export function AnswersDialog({
  title,
  before,
  after,
  onClose,
}: {
  readonly title: string;
  readonly before: AnswerSide;
  readonly after: AnswerSide;
  readonly onClose: () => void;
}) {
  const large = Math.max(before.text.length, after.text.length);
  const fits = large <= LIMITS.formattedBytes;
  const [oldText, nowText] = useMemo(
    () => (fits ? [prettyJson(before.text), prettyJson(after.text)] : ['', '']),
    [before.text, after.text, fits],
  );
  return (
    <Dialog title={title} width="widest" onClose={onClose}>
      <div className="grid grid-cols-2 gap-2 pb-2 text-muted">
        <p className="truncate">{before.title}</p>
        <p className="truncate">{after.title}</p>
      </div>
      {fits ? (
        <TextDiff
          label={`Differences between the ${title.charAt(0).toLowerCase()}${title.slice(1)}`}
          before={oldText}
          after={nowText}
          className="h-[62vh]"
        />
      ) : (
        <p className="p-2">
          One response is {formatBytes(large)}. The limit here is {formatBytes(LIMITS.formattedBytes)}. Save both from
          the Raw tab and compare the files.
        </p>
      )}
    </Dialog>
  );
}
