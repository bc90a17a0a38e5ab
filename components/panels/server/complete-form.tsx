import { useMemo, useState } from 'react';
import { responseOf } from '@/components/exchange/outcome';
import { Button } from '@/components/ui/button';
import { Select, TextInput } from '@/components/ui/inputs';
import { ErrorNote } from '@/components/ui/notices';
import { visibleText } from '@/components/ui/visible-text';
import { UntrustedText } from '@/components/untrusted/untrusted-text';
import { useClient } from '@/lib/hooks/client';
import { useDraft } from '@/lib/hooks/drafts';
import { useExchange, useLogState } from '@/lib/hooks/log';
import { stringifyJson, tryParseJson } from '@/lib/json/exact';
import { isObject, type JsonObject, own, textOrJson } from '@/lib/json/value';
import type { Log } from '@/lib/store/log';
import type { LogState } from '@/lib/store/state/state';
import type { Failure } from '@/lib/wire/lifecycle';
import { RoundTripView } from './round-trip';

/** A prompt or a resource template whose arguments can be completed. */
interface Completable {
  readonly label: string;
  readonly ref: JsonObject;
  readonly names: readonly string[];
}

/** Returns the prompts and templates of a server that have arguments, with the names of these. */
export function completables({ prompts, templates }: Pick<LogState, 'prompts' | 'templates'>): readonly Completable[] {
  const argumentNames = (raw: JsonObject) => {
    const list = own(raw, 'arguments');
    return (Array.isArray(list) ? list : []).flatMap((each) => {
      const name = isObject(each) ? own(each, 'name') : undefined;
      return typeof name === 'string' ? [name] : [];
    });
  };
  const all = [
    ...prompts.items.map(({ name, raw }) => ({
      label: `prompt ${name}`,
      ref: { type: 'ref/prompt', name },
      names: argumentNames(raw),
    })),
    ...templates.items.map(({ uriTemplate }) => ({
      label: `template ${uriTemplate}`,
      ref: { type: 'ref/resource', uri: uriTemplate },
      names: [...new Set(Array.from(uriTemplate.matchAll(/[{,?&/#.;+]([\w.%]+)(?=[^{}]*\})/g), (match) => match[1]!))],
    })),
  ];
  return all.filter(({ names }) => names.length > 0);
}

interface Asked {
  readonly ref: number;
  readonly name: string;
  readonly value: string;
  /** Values of other arguments, as JSON; blank for none. */
  readonly context: string;
}

const FIRST: Asked = { ref: 0, name: '', value: '', context: '' };

/** Asks the server to complete an argument of a prompt or a template. */
export function CompleteForm({ log }: { readonly log: Log }) {
  const client = useClient();
  const prompts = useLogState(log, (state) => state.prompts);
  const templates = useLogState(log, (state) => state.templates);
  const all = useMemo(() => completables({ prompts, templates }), [prompts, templates]);
  // Kept under the server's name, so that it survives a restart.
  const server = useLogState(log, (state) => state.connection.start?.name ?? '');
  const [asked, setAsked] = useDraft(`complete ${server}`, FIRST);
  const [sent, setSent] = useState<number>();
  const [failure, setFailure] = useState<Failure>();
  const exchange = useExchange(log, sent);
  const chosen = all[asked.ref];
  const context = asked.context.trim() === '' ? undefined : tryParseJson(asked.context);
  const isWrong = context !== undefined && !(context.ok && isObject(context.value));
  if (!chosen) return <p className="text-muted">The server lists no prompts and templates with arguments</p>;
  const name = asked.name !== '' ? asked.name : chosen.names[0]!;
  const send = async () => {
    setFailure(undefined);
    const { connection } = log;
    const params = stringifyJson({
      ref: chosen.ref,
      argument: { name, value: asked.value },
      ...(context?.ok && { context: { arguments: context.value } }),
    });
    try {
      const done = await client.send({ type: 'request', connection, method: 'completion/complete', params });
      setSent(done.seq);
    } catch (error) {
      setFailure(error as Failure);
    }
  };
  return (
    <form
      className="flex min-w-0 flex-col gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        if (!isWrong) void send();
      }}
    >
      <Select
        label="Of"
        value={String(asked.ref)}
        onChange={(ref) => setAsked({ ...asked, ref: Number(ref) })}
        options={all.map(({ label }, index) => ({ value: String(index), label: visibleText(label.slice(0, 120)) }))}
      />
      <div className="grid grid-cols-2 gap-2">
        <TextInput
          label="Argument"
          mono
          value={name}
          onChange={(next) => setAsked({ ...asked, name: next })}
          list="complete-names"
        />
        <TextInput label="Value" mono value={asked.value} onChange={(value) => setAsked({ ...asked, value })} />
      </div>
      <datalist id="complete-names">
        {chosen.names.map((each) => (
          <option key={each} value={each} />
        ))}
      </datalist>
      <TextInput
        label="Other arguments, as JSON"
        mono
        placeholder='{"language": "en"}'
        value={asked.context}
        aria-invalid={isWrong || undefined}
        onChange={(next) => setAsked({ ...asked, context: next })}
      />
      <div className="flex min-h-7 flex-wrap items-center gap-2">
        <Button type="submit" disabled={isWrong}>
          Complete
        </Button>
        {isWrong && <span className="text-small text-error">! The other arguments are not a JSON object</span>}
        {exchange && <RoundTripView log={log} exchange={exchange} />}
      </div>
      {failure && <ErrorNote failure={failure} />}
      {exchange?.status === 'ok' && <Values result={responseOf(log, exchange)?.result?.value} />}
    </form>
  );
}

/** Most values to show; the specification allows a hundred. */
const MOST = 100;

/** The values of a completion. */
function Values({ result }: { readonly result: unknown }) {
  const completion = isObject(result) ? own(result, 'completion') : undefined;
  const values = isObject(completion) ? own(completion, 'values') : undefined;
  if (!isObject(completion) || !Array.isArray(values)) return <p className="text-warn">! The result has no values</p>;
  const total = own(completion, 'total');
  return (
    <>
      {values.length === 0 && <p className="text-muted">No values</p>}
      <ul aria-label="Values" className="flex max-h-40 min-w-0 flex-wrap gap-x-3 overflow-auto font-mono text-wire">
        {values.slice(0, MOST).map((value, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: values may repeat
          <li key={index}>
            <UntrustedText text={textOrJson(value)} limit={120} />
          </li>
        ))}
      </ul>
      {(typeof total === 'number' || own(completion, 'hasMore') === true) && (
        <p className="text-small text-muted">
          {typeof total === 'number' ? `${values.length} of ${total}` : `${values.length}, and the server has more`}
        </p>
      )}
    </>
  );
}
