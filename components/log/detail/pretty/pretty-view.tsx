import type { ReactNode } from 'react';
import { Button } from '@/components/ui/button';
import { AnsiText } from '@/components/untrusted/ansi-text';
import { LongText } from '@/components/untrusted/long-text';
import { decodeLossy } from '@/lib/store/classify';
import { JsonOutline } from '@/lib/store/json-outline';
import type { Log } from '@/lib/store/log';
import type { OutlinePath } from '@/lib/store/outline-path';
import type { Row } from '@/lib/store/row';
import { formatBytes } from '@/lib/wire/format-bytes';
import { FLAG } from '@/lib/wire/frame';
import type { LifecycleEvent } from '@/lib/wire/lifecycle';
import { LIMITS } from '@/lib/wire/limits';
import { lifecycleWords } from '../../lifecycle-words';
import type { OutlineState } from '../use-outline';
import { PrettyJson } from './pretty-json';
import type { FieldMarks } from './use-field-marks';

type Fault = Extract<OutlineState, string>;

/** Why a frame that should be JSON is shown as text. */
const FAULTS: Readonly<Record<Fault, string>> = {
  'not-json': 'This is not JSON, so it is no message. On stdio, servers may write nothing else to stdout.',
  'too-deep': 'This is nested so deep that it is not read as a message. Raw has all of it.',
  'too-many': 'This holds so many values that it is not read as a message. Raw has all of it.',
  failed: 'This could not be read as a tree. Raw has all of it.',
};

/** A frame as people read it: JSON as a tree, lifecycle events as a sentence, anything else as text. */
export function PrettyView({
  log,
  row,
  bytes,
  outline,
  marks,
  at,
  onRaw,
}: {
  readonly log: Log;
  readonly row: Row;
  /** Text of the outline: the frame's, or all lines of a printed object. */
  readonly bytes: Uint8Array;
  readonly outline: OutlineState;
  /** The fields that something is wrong with. */
  readonly marks: FieldMarks;
  /** Field to go to. */
  readonly at: OutlinePath | undefined;
  readonly onRaw: () => void;
}) {
  const index = row.seq - 1;
  if (row.kind === 'stderr') {
    return (
      <Text>
        <AnsiText text={log.text(index)} />
      </Text>
    );
  }
  if (outline instanceof JsonOutline) {
    const event = row.channel === 'lifecycle' ? (log.json(index)?.value as LifecycleEvent | undefined) : undefined;
    return (
      <>
        {event && <p className="shrink-0 border-b border-line p-2 break-words">{lifecycleWords(event)}</p>}
        {row.kind === 'junk' && row.printed === undefined && <Note>This is JSON, but not a JSON-RPC message.</Note>}
        <PrettyJson outline={outline} marks={marks} at={at} />
      </>
    );
  }
  if (typeof outline === 'object') {
    return (
      <p role="status" className="p-2 text-muted">
        Reading {formatBytes(outline.read)} of {formatBytes(bytes.length)}…
      </p>
    );
  }
  return (
    <>
      <Note>
        {faultWords(row, outline)}{' '}
        <Button size="small" variant="ghost" onClick={onRaw}>
          Show the bytes
        </Button>
      </Note>
      {outline === 'not-json' && bytes.length <= LIMITS.formattedBytes && (
        <Text>
          <LongText text={decodeLossy(bytes)} />
        </Text>
      )}
    </>
  );
}

function faultWords({ direction, flags }: Row, fault: Fault): string {
  if (fault !== 'not-json') return FAULTS[fault];
  if (flags & FLAG.continued) return 'This is the beginning of a line that is longer than a frame.';
  return direction === 'to-server' ? 'This is not JSON. It was sent as it stands.' : FAULTS[fault];
}

function Note({ children }: { readonly children: ReactNode }) {
  return <p className="shrink-0 border-b border-line bg-warn/8 px-2 py-1 text-warn">{children}</p>;
}

function Text({ children }: { readonly children: ReactNode }) {
  return (
    <div className="min-h-0 flex-1 overflow-auto p-2 font-mono text-wire break-words whitespace-pre-wrap">
      {children}
    </div>
  );
}
