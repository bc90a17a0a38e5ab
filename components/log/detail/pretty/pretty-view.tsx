import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { Button } from '@/components/ui/button';
import { Sentence } from '@/components/ui/notices';
import { moveFocus } from '@/components/ui/page-focus';
import { AnsiText } from '@/components/untrusted/ansi-text';
import { LongText } from '@/components/untrusted/long-text';
import { navigate } from '@/lib/hooks/location';
import { JsonOutline } from '@/lib/json/outline';
import { nodeAt, type OutlinePath } from '@/lib/json/outline-path';
import { searchOutline } from '@/lib/json/outline-text';
import { decodeLossy } from '@/lib/store/classify';
import type { Log } from '@/lib/store/log';
import type { Row } from '@/lib/store/rows/row';
import { formatBytes } from '@/lib/wire/format';
import { FLAG } from '@/lib/wire/frame';
import { runInSlices } from '@/lib/wire/in-slices';
import type { LifecycleEvent } from '@/lib/wire/lifecycle';
import { LIMITS } from '@/lib/wire/limits';
import { lifecycleSentence } from '../../lifecycle-sentences';
import type { FieldMarks, OutlineState } from '../use-outline';
import { holdsJson, readEmbedded } from './string-content';
import { TreeModel, type TreeValueRef } from './tree-model';
import { TreeSearchBar, useTreeSearch } from './tree-search';
import { type TreeHandle, TreeView } from './tree-view';

type Fault = Extract<OutlineState, string>;

/** Why a frame is shown as text. */
const FAULTS: Readonly<Record<Fault, string>> = {
  'not-json': 'Not JSON, so not a message. On stdio, servers may write only messages to stdout.',
  'too-deep': 'Nested too deeply to read as a message. See Raw for all of it.',
  'too-many': 'Has too many values to read as a message. See Raw for all of it.',
  failed: 'Could not be shown as a tree. See Raw for all of it.',
};

/** A frame for reading: JSON as a tree, lifecycle events with a sentence, anything else as text. */
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
  /** Bytes of the outline: the frame's, or all lines of a pretty-printed object. */
  readonly bytes: Uint8Array;
  readonly outline: OutlineState;
  /** Fields with problems. */
  readonly marks: FieldMarks;
  /** Field to scroll to. */
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
    const sentence = event && lifecycleSentence(event);
    return (
      <>
        {sentence !== undefined && (
          <p className="shrink-0 border-b border-line p-2 break-words">
            <Sentence text={sentence} />
            {event && <InterceptLink event={event} />}
          </p>
        )}
        {row.kind === 'junk' && row.printed === undefined && <Note>Valid JSON, but not a JSON-RPC message</Note>}
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
  // On other channels, text is as good as JSON.
  const isFault = row.kind !== 'other' || outline !== 'not-json' || bytes.length > LIMITS.formattedBytes;
  return (
    <>
      {isFault && (
        <Note>
          {unreadableText(row, outline)}{' '}
          <Button size="small" variant="ghost" onClick={onRaw}>
            Show bytes
          </Button>
        </Note>
      )}
      {outline === 'not-json' && bytes.length <= LIMITS.formattedBytes && (
        <Text>
          <LongText text={decodeLossy(bytes)} />
        </Text>
      )}
    </>
  );
}

/** Leads from an event to the panel: to the message that is held, or to the rules. */
function InterceptLink({ event }: { readonly event: LifecycleEvent }) {
  if (event.event !== 'rules' && event.event !== 'held' && event.event !== 'given-up') return null;
  const item = event.event === 'rules' ? 'rules' : `hold-${event.hold}`;
  return (
    <>
      {' '}
      <button type="button" className="text-link" onClick={() => navigate({ panel: 'intercept', item })}>
        Show the held message
      </button>
    </>
  );
}

function unreadableText({ direction, flags }: Row, fault: Fault): string {
  if (fault !== 'not-json') return FAULTS[fault];
  if (flags & FLAG.continued) return 'The start of a line that is too long for one frame.';
  return direction === 'to-server' ? 'Not JSON. It was sent unchanged.' : FAULTS[fault];
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

/** A frame's JSON as a tree with a search box. Use the frame's seq as key. */
export function PrettyJson({
  outline,
  marks,
  at,
}: {
  readonly outline: JsonOutline;
  /** Fields with problems: underlined, and opened once they are known. */
  readonly marks: FieldMarks;
  /** Field to scroll to, initially and whenever it changes. */
  readonly at: OutlinePath | undefined;
}) {
  const [model] = useState(() => new TreeModel(outline));
  const revealed = useRef(false);
  if (!revealed.current && marks.size > 0) {
    revealed.current = true;
    for (const node of marks.keys()) model.reveal({ document: model.root, node });
  }
  const [documents, setDocuments] = useState(model.documents);
  const input = useRef<HTMLInputElement>(null);
  const tree = useRef<TreeHandle>(null);
  const search = useTreeSearch(documents, (place) => tree.current?.show(place, true));
  const reading = useRef<AbortController>(undefined);
  useEffect(() => () => reading.current?.abort(), []);
  /** Shows a match, opening a long string or the JSON in a string if the match is inside. */
  const showFound = async (place: TreeValueRef) => {
    reading.current?.abort();
    const stop = new AbortController();
    reading.current = stop;
    const embedded = await runInSlices(findEmbedded(place, search.query), stop.signal).catch(() => undefined);
    if (stop.signal.aborted) return;
    if (!embedded) return tree.current?.show(place, !hasInName(place, search.query));
    search.enter(place);
    tree.current?.embed(place, embedded);
  };
  useEffect(() => {
    if (at === undefined) return;
    const stop = new AbortController();
    const show = (node: number | undefined) => node !== undefined && tree.current?.show({ document: model.root, node });
    runInSlices(nodeAt(outline, at), stop.signal).then(show, () => {});
    return () => stop.abort();
  }, [model, outline, at]);
  const onKeyDown = (event: KeyboardEvent) => {
    // The browser's own search finds only rendered rows.
    if (event.key !== 'f' || !(event.metaKey || event.ctrlKey)) return;
    event.preventDefault();
    input.current?.select();
    moveFocus(input.current);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: handles keys that bubble from the focused element
    <div onKeyDown={onKeyDown} className="flex min-h-0 flex-1 flex-col">
      <TreeSearchBar
        search={search}
        input={input}
        onShow={(place) => void showFound(place)}
        onLeave={() => tree.current?.focus()}
      />
      <TreeView
        model={model}
        marks={marks}
        query={search.query}
        handle={tree}
        onChange={() => setDocuments(model.documents)}
      />
    </div>
  );
}

/** Returns the JSON in a string if the query occurs in one of its values. */
function* findEmbedded({ document, node }: TreeValueRef, query: string): Generator<unknown, JsonOutline | undefined> {
  if (!holdsJson(document.outline, node)) return undefined;
  const outline = yield* readEmbedded(document.outline, node);
  if (!(outline instanceof JsonOutline)) return undefined;
  const found = yield* searchOutline(outline, query, 1);
  return found.length > 0 ? outline : undefined;
}

function hasInName({ document: { outline }, node }: TreeValueRef, query: string): boolean {
  return outline.name(node)?.toLowerCase().includes(query.toLowerCase()) === true;
}
