import { useMemo } from 'react';
import { JsonDiff } from '@/components/editor/json-diff';
import { Dialog } from '@/components/ui/dialog';
import { visibleText } from '@/components/ui/visible-text';
import type { CallComparison } from '@/lib/compare/call-diff';
import { callName } from '@/lib/compare/compare-sessions';
import { prettyJson } from '@/lib/schema/json';
import { formatBytes } from '@/lib/wire/format-bytes';
import { LIMITS } from '@/lib/wire/limits';
import type { Sides } from './side';

/** The two answers to a call beside each other. */
export function AnswersDialog({
  call: { before, after },
  sides: [was, is],
  onClose,
}: {
  readonly call: CallComparison;
  readonly sides: Sides;
  readonly onClose: () => void;
}) {
  const [old, now] = [before?.answer?.text ?? '', after?.answer?.text ?? ''];
  const large = Math.max(old.length, now.length);
  const fits = large <= LIMITS.formattedBytes;
  const [oldText, nowText] = useMemo(() => (fits ? [prettyJson(old), prettyJson(now)] : ['', '']), [old, now, fits]);
  const name = visibleText(callName((before ?? after)!).slice(0, 100));
  return (
    <Dialog title={`Answers to ${name}`} width="widest" onClose={onClose}>
      <div className="grid grid-cols-2 gap-2 pb-2 text-muted">
        <p className="truncate">
          Before: {was.title} #{before?.answer?.seq}
        </p>
        <p className="truncate">
          After: {is.title} #{after?.answer?.seq}
        </p>
      </div>
      {fits ? (
        <JsonDiff
          label={`Differences between the answers to ${name}`}
          before={oldText}
          after={nowText}
          className="h-[62vh]"
        />
      ) : (
        <p className="p-2">
          One of them has {formatBytes(large)}: more than {formatBytes(LIMITS.formattedBytes)} are not compared here.
          Save both from Raw, and compare the files.
        </p>
      )}
    </Dialog>
  );
}
