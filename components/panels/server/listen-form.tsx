import { useMemo, useState } from 'react';
import { FrameLink } from '@/components/exchange/frame-link';
import { OutcomeWord, useOutcome } from '@/components/exchange/outcome';
import { Button } from '@/components/ui/button';
import { classNames } from '@/components/ui/class-names';
import { Checkbox, FIELD } from '@/components/ui/inputs';
import { ErrorNote } from '@/components/ui/notices';
import { UntrustedText } from '@/components/untrusted/untrusted-text';
import { useClient } from '@/lib/hooks/client';
import { useDraft } from '@/lib/hooks/drafts';
import { sharedByLog, useExchange, useLogSize } from '@/lib/hooks/log';
import { stringifyJson } from '@/lib/json/exact';
import { isObject, type JsonObject, own, textOrJson } from '@/lib/json/value';
import type { Log } from '@/lib/store/log';
import { messageSource } from '@/lib/store/message-source';
import type { Failure } from '@/lib/wire/lifecycle';
import { META_KEY, METHOD } from '@/lib/wire/protocol-names';

/** Streams that were opened here, by their requests' frames. */
const STREAMS = sharedByLog<readonly number[]>([]);

const CHANGES = [
  ['toolsListChanged', 'List of tools'],
  ['promptsListChanged', 'List of prompts'],
  ['resourcesListChanged', 'List of resources'],
] as const;

interface Wanted {
  readonly lists: readonly string[];
  /** One URI a line. */
  readonly uris: string;
}

const FIRST: Wanted = { lists: CHANGES.map(([name]) => name), uris: '' };

/** Returns the filter of a listen request (2026-07-28), with only what is wanted. */
export function listenFilter({ lists, uris }: Wanted): JsonObject {
  const subscriptions = uris.split('\n').flatMap((line) => line.trim() || []);
  return {
    ...Object.fromEntries(CHANGES.filter(([name]) => lists.includes(name)).map(([name]) => [name, true])),
    ...(subscriptions.length > 0 && { resourceSubscriptions: subscriptions }),
  };
}

/** Opens streams of changes, and shows what the server grants of each. */
export function ListenForm({ log }: { readonly log: Log }) {
  const client = useClient();
  const [wanted, setWanted] = useDraft('listen', FIRST);
  const [failure, setFailure] = useState<Failure>();
  const streams = STREAMS.use(log);
  const { connection } = log;
  const open = async () => {
    setFailure(undefined);
    const params = stringifyJson({ notifications: listenFilter(wanted) });
    try {
      const { seq } = await client.send({ type: 'request', connection, method: METHOD.listen, params });
      if (seq !== undefined) STREAMS.set(log, [...STREAMS.get(log), seq]);
    } catch (error) {
      setFailure(error as Failure);
    }
  };
  const toggle = (name: string, on: boolean) =>
    setWanted({ ...wanted, lists: on ? [...wanted.lists, name] : wanted.lists.filter((other) => other !== name) });
  return (
    <div className="flex min-w-0 flex-col gap-2">
      <div className="flex flex-wrap gap-x-4">
        {CHANGES.map(([name, label]) => (
          <Checkbox
            key={name}
            checked={wanted.lists.includes(name)}
            onChange={(on) => toggle(name, on)}
            label={label}
          />
        ))}
      </div>
      <label className="flex flex-col gap-1 text-muted">
        Resources, one URI a line
        <textarea
          rows={1}
          value={wanted.uris}
          onChange={(event) => setWanted({ ...wanted, uris: event.target.value })}
          spellCheck={false}
          className={classNames(
            FIELD,
            'block h-auto max-h-40 min-h-7 resize-none py-1 font-mono text-wire field-sizing-content',
          )}
        />
      </label>
      <Button className="self-start" onClick={() => void open()}>
        Open stream
      </Button>
      {failure && <ErrorNote failure={failure} />}
      {streams.length > 0 && (
        <ul aria-label="Streams" className="flex min-w-0 flex-col gap-1">
          {streams.map((seq) => (
            <Stream key={seq} log={log} seq={seq} />
          ))}
        </ul>
      )}
    </div>
  );
}

/** One stream: its state, and the part of its filter that the server acknowledged. */
function Stream({ log, seq }: { readonly log: Log; readonly seq: number }) {
  const client = useClient();
  const exchange = useExchange(log, seq);
  const { outcome } = useOutcome(log, exchange);
  const granted = useAcknowledged(log, seq);
  const [failure, setFailure] = useState<Failure>();
  const { connection } = log;
  const id = exchange?.id;
  const isOpen = exchange?.status === 'pending';
  const close = () => {
    if (id !== undefined && id !== null) client.send({ type: 'cancel', connection, id }).catch(setFailure);
  };
  return (
    <li className="flex min-w-0 flex-col">
      <div className="flex min-h-7 min-w-0 flex-wrap items-center gap-x-2">
        <FrameLink seq={seq} label="stream" />
        {isOpen ? <span>{granted ? 'open' : 'asked'}</span> : outcome && <OutcomeWord outcome={outcome} />}
        {granted && (
          <>
            <span className="text-muted">
              granted <UntrustedText text={grantedText(granted.filter)} limit={300} />
            </span>
            <FrameLink seq={granted.seq} label="acknowledged" short />
          </>
        )}
        {isOpen && (
          <Button size="small" onClick={close}>
            Close stream
          </Button>
        )}
      </div>
      {failure && <ErrorNote failure={failure} />}
    </li>
  );
}

/** Frames after a request in which its acknowledgement is looked for. It is the first message on its stream. */
const LOOKED_AT = 2000;

interface Acknowledged {
  readonly seq: number;
  readonly filter: unknown;
}

function useAcknowledged(log: Log, seq: number): Acknowledged | undefined {
  const size = Math.min(useLogSize(log), seq + LOOKED_AT);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the log changes in place; its size says when
  return useMemo(() => acknowledgedIn(log, seq), [log, seq, size]);
}

/** Returns the acknowledgement of a listen request; undefined before it comes. */
export function acknowledgedIn(log: Log, seq: number): Acknowledged | undefined {
  const id = log.exchange(seq)?.id;
  for (let index = seq; index < Math.min(log.size, seq + LOOKED_AT); index++) {
    if (log.columns.method(index) !== METHOD.acknowledged) continue;
    const params = messageSource(log, index + 1)?.member('params')?.value;
    const meta = isObject(params) ? own(params, '_meta') : undefined;
    if (isObject(params) && isObject(meta) && own(meta, META_KEY.subscriptionId) === id) {
      return { seq: index + 1, filter: own(params, 'notifications') };
    }
  }
  return undefined;
}

/** Returns the acknowledged part of a filter in words: names of lists, and URIs. */
export function grantedText(filter: unknown): string {
  if (!isObject(filter)) return 'nothing';
  const lists = CHANGES.filter(([name]) => own(filter, name) === true).map(([, label]) => label.toLowerCase());
  const uris = own(filter, 'resourceSubscriptions');
  const all = [...lists, ...(Array.isArray(uris) ? uris.map(textOrJson) : [])];
  return all.length === 0 ? 'nothing' : all.join(', ');
}
