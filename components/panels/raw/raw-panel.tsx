import { useMemo, useState } from 'react';
import { JsonEditor } from '@/components/editor/json-editor';
import { ErrorResponseView } from '@/components/exchange/error-response';
import { FrameLink } from '@/components/exchange/frame-link';
import { InvalidResultNote, OutcomeWord, useOutcome } from '@/components/exchange/outcome';
import { UnmatchedNote } from '@/components/exchange/unmatched-note';
import { Button } from '@/components/ui/button';
import { Checkbox, Select } from '@/components/ui/inputs';
import { EmptyState, ErrorNote } from '@/components/ui/notices';
import { JsonTree } from '@/components/untrusted/json-tree';
import { RenderGuard } from '@/components/untrusted/render-guard';
import { useClient } from '@/lib/hooks/client';
import { useClosedReason, useReadOnly } from '@/lib/hooks/connections';
import { useDraft } from '@/lib/hooks/drafts';
import { useExchange, useLogSize, useLogState } from '@/lib/hooks/log';
import { compactJson, tryParseJson } from '@/lib/json/exact';
import type { Log } from '@/lib/store/log';
import { requestMeta } from '@/lib/store/message-source';
import { formatBytes, formatDuration } from '@/lib/wire/format';
import type { Era, Failure } from '@/lib/wire/lifecycle';
import { firstText, lacksMeta, RAW_TEMPLATES, type RawTemplate, templateText } from './raw-templates';

const NO_TEMPLATE = '';

/** Sends any text to the server, byte for byte. An ended connection shows where to see what was sent. */
export function RawPanel({ log }: { readonly log: Log }) {
  if (!useReadOnly(log)) return <RawSender log={log} />;
  return (
    <EmptyState title="Read-only: nothing can be sent">
      Select a message in the log and open its Raw tab to see its bytes
    </EmptyState>
  );
}

function RawSender({ log }: { readonly log: Log }) {
  const client = useClient();
  const { era, version, start, state } = useLogState(log, (all) => all.connection);
  const discovered = useLogState(log, (all) => all.server.seq);
  const isUnopened = discovered === undefined && (state === 'handshake-failed' || start?.protocol === 'none');
  // biome-ignore lint/correctness/useExhaustiveDependencies: the log changes in place; these say when
  const meta = useMemo(() => requestMeta(log), [log, era, version, discovered]);
  const [text, setText] = useDraft('raw', firstText(meta, isUnopened));
  const [terminate, setTerminate] = useState(true);
  const [sent, setSent] = useDraft<number>(`raw sent ${log.connection}`, 0);
  const [failure, setFailure] = useState<Failure>();
  const closed = useClosedReason(log);
  const bytes = new TextEncoder().encode(text).length + (terminate ? 1 : 0);
  const lines = text.split('\n').length;
  const parsed = useMemo(() => tryParseJson(text), [text]);

  const send = async () => {
    setFailure(undefined);
    try {
      const done = await client.send({ type: 'send-raw', connection: log.connection, text, terminate });
      setSent(done.seq ?? 0);
    } catch (error) {
      setFailure(error as Failure);
    }
  };
  return (
    <div className="@container min-h-0 flex-1 overflow-auto p-3">
      <div className="grid min-h-full min-w-0 grid-cols-[minmax(0,1fr)] gap-4 @3xl:grid-cols-2">
        <div className="flex min-w-0 flex-col gap-2">
          <div className="flex flex-wrap items-center gap-2">
            <h2 className="font-medium">Message</h2>
            <span className="flex-1" />
            <TemplateChoice
              era={era}
              onChoose={(template) => setText(templateText(template, `raw-${log.size}`, meta))}
            />
            <Button size="small" disabled={!parsed.ok || lines === 1} onClick={() => setText(compactJson(text))}>
              Join lines
            </Button>
          </div>
          <JsonEditor
            label="Message to send"
            text={text}
            // A template's text is not saved as a draft, so that it can follow the era.
            onChange={(next) => next !== text && setText(next)}
            onSubmit={() => closed === undefined && void send()}
            className="min-h-32 max-h-96 flex-1"
          />
          <div className="flex flex-wrap items-center gap-2">
            <Button variant="primary" disabled={closed !== undefined} onClick={() => void send()}>
              Send
            </Button>
            <Checkbox label="End with a line feed" checked={terminate} onChange={setTerminate} />
            <span className="tabular text-muted">{formatBytes(bytes)}</span>
          </div>
          {closed !== undefined && <p className="text-muted">{closed}</p>}
          <TextWarnings parsed={parsed} meta={meta} lines={lines} />
          {failure && <ErrorNote failure={failure} />}
        </div>
        <RawAnswer log={log} seq={sent} />
      </div>
    </div>
  );
}

function TemplateChoice({
  era,
  onChoose,
}: {
  readonly era: Era | undefined;
  readonly onChoose: (template: RawTemplate) => void;
}) {
  const templates = RAW_TEMPLATES.filter((row) => row.era === undefined || era === undefined || row.era === era);
  return (
    <Select
      aria-label="Template"
      className="max-w-48"
      value={NO_TEMPLATE}
      onChange={(title) => {
        const template = RAW_TEMPLATES.find((row) => row.title === title);
        if (template) onChoose(template);
      }}
      options={[
        { value: NO_TEMPLATE, label: 'Template…' },
        ...templates.map(({ title }) => ({ value: title, label: title })),
      ]}
    />
  );
}

/** Warnings about a text that is sent anyway. */
function TextWarnings({
  parsed,
  meta,
  lines,
}: {
  readonly parsed: ReturnType<typeof tryParseJson>;
  readonly meta: ReturnType<typeof requestMeta>;
  readonly lines: number;
}) {
  return (
    <>
      {!parsed.ok && <p className="text-warn">! Not JSON. It is sent as is</p>}
      {parsed.ok && lacksMeta(parsed.value, meta) && (
        <p className="text-warn">
          ! Requests of this MCP version need protocolVersion, clientInfo and clientCapabilities in params._meta. The
          server may reject this one. The templates include them.
        </p>
      )}
      {lines > 1 && (
        <p className="text-warn">! {lines} lines: over stdio each line is a separate message. They are sent as is</p>
      )}
    </>
  );
}

/** The response to the text sent as frame `seq`; 0 if nothing was sent yet. */
export function RawAnswer({ log, seq }: { readonly log: Log; readonly seq: number }) {
  const exchange = useExchange(log, seq || undefined);
  const arrived = useLogSize(log) >= seq;
  const { outcome, answer, invalid } = useOutcome(log, exchange);
  const row = arrived && seq > 0 ? log.row(seq - 1) : undefined;
  const isBatch = row?.kind === 'batch';
  const batchAnswer = isBatch && row.peer !== undefined ? log.json(row.peer - 1) : undefined;
  return (
    <section aria-label="Result" className="flex min-w-0 flex-col gap-2">
      <div className="flex min-h-7 flex-wrap items-center gap-2">
        <h2 className="font-medium">Result</h2>
        {outcome && (
          <span role="status">
            <OutcomeWord outcome={outcome} />
          </span>
        )}
        {exchange?.durationUs !== undefined && <span className="tabular">{formatDuration(exchange.durationUs)}</span>}
        {answer && <span className="tabular text-muted">{formatBytes(answer.bytes)}</span>}
        {seq > 0 && <FrameLink seq={seq} label="sent" />}
        {exchange?.responseSeq !== undefined && <FrameLink seq={exchange.responseSeq} label="response" />}
        {isBatch && row.peer !== undefined && <FrameLink seq={row.peer} label="first response" />}
      </div>
      {seq === 0 && <p className="text-muted">Send a message to see its response</p>}
      {invalid && <InvalidResultNote invalid={invalid} />}
      <UnmatchedNote log={log} exchange={exchange} />
      {isBatch && !batchAnswer && <p className="text-muted">No response to this batch yet</p>}
      {batchAnswer && <JsonTree json={batchAnswer} />}
      {seq > 0 && arrived && !exchange && !isBatch && (
        <p className="text-muted">Not a request, so there is no response. See the log for what followed</p>
      )}
      {answer && (
        <RenderGuard key={exchange?.responseSeq} fallback={<p className="text-warn">! Nested too deeply to display</p>}>
          {answer.error === undefined ? (
            <JsonTree json={answer.result ?? answer.message} />
          ) : (
            <ErrorResponseView error={answer.error} />
          )}
        </RenderGuard>
      )}
    </section>
  );
}
