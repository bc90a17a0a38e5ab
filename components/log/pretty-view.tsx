import { useState } from 'react';
import { Button } from '@/components/ui/button';
import { formatBytes } from '@/components/ui/format';
import { JsonTree } from '@/components/untrusted/json-tree';
import type { Problem } from '@/lib/problems/problem';
import type { Log } from '@/lib/store/log';
import type { Row } from '@/lib/store/row';
import type { LifecycleEvent } from '@/lib/wire/lifecycle';
import { fieldMarks } from './field-marks';
import { lifecycleWords } from './lifecycle-words';
import { RawText } from './raw-text';

/** Frames above this are parsed only when asked for, so that moving through the log never waits. */
const PARSE_UNASKED_BYTES = 2_000_000;

/** A frame as people read it: JSON as a tree, lifecycle events as a sentence, anything else as text. */
export function PrettyView({
  log,
  row,
  problems,
  onRaw,
}: {
  readonly log: Log;
  readonly row: Row;
  /** Fields that they are about are underlined. */
  readonly problems?: readonly Problem[];
  /** Shows the frame's text, if that is to be had beside it. */
  readonly onRaw?: () => void;
}) {
  const [asked, setAsked] = useState(row.bytes <= PARSE_UNASKED_BYTES);
  if (!asked) {
    return (
      <div className="flex flex-wrap items-center gap-2 p-2">
        <p>This frame has {formatBytes(row.bytes)}; to show it as a tree it has to be parsed.</p>
        <Button size="small" onClick={() => setAsked(true)}>
          Parse it
        </Button>
        {onRaw && (
          <Button size="small" variant="ghost" onClick={onRaw}>
            Show the text
          </Button>
        )}
      </div>
    );
  }
  const index = row.seq - 1;
  const json = log.json(index);
  if (json === undefined) return <RawText bytes={log.bytes(index)} />;
  const sentence = row.kind === 'lifecycle' ? lifecycleWords(json.value as LifecycleEvent) : undefined;
  return (
    <div className="p-2">
      {sentence && <p className="mb-2 break-words">{sentence}</p>}
      <JsonTree json={json} marks={problems && fieldMarks(problems)} />
    </div>
  );
}
