import { Suspense, useMemo, useState } from 'react';
import { InlineQuestion } from '@/components/answers/inline-question';
import { BatchResult } from '@/components/exchange/batch-result';
import { type CallToConfirm, useConsentedCall } from '@/components/exchange/destructive-call';
import { HeaderPreview } from '@/components/exchange/header-preview';
import { errorTexts, responseOf } from '@/components/exchange/outcome';
import { focusSend, RequestBar } from '@/components/exchange/request-bar';
import { RequestPane } from '@/components/exchange/request-pane';
import { OtherMembers, ResultRegion } from '@/components/exchange/result-region';
import { useBatching } from '@/components/exchange/use-batch';
import { namedParams, useRequest, useSentArguments } from '@/components/exchange/use-request';
import { CallMeta, metaFieldProblem, useCallMeta } from '@/components/form/call-meta';
import { firstInPage, ProblemCount, useChecker } from '@/components/form/checking';
import { DocumentEditor, ModeSwitch } from '@/components/form/document-editor';
import { FillMenu, offersFill, useFill, usePrefill } from '@/components/form/fill-menu';
import { type FieldProblem, pathKey } from '@/components/form/form-state';
import { HistoryMenu, storableArguments } from '@/components/form/saved-calls';
import { documentKey, useDocument, useSentDocument, whyNotSendable } from '@/components/form/use-document';
import { COMPARING } from '@/components/log/detail/message-commands';
import { Button, useCopy } from '@/components/ui/button';
import type { MenuItem } from '@/components/ui/menu-list';
import { Spinner, TextNotLoaded } from '@/components/ui/notices';
import { ContentBlock } from '@/components/untrusted/content-block';
import { JsonTree } from '@/components/untrusted/json-tree';
import { RESULT_VIEWS } from '@/features/result-views';
import { useProfile } from '@/lib/hooks/client-profile';
import { navigate } from '@/lib/hooks/location';
import { useLogState } from '@/lib/hooks/log';
import { useSavedCalls } from '@/lib/hooks/saved-calls';
import { valueAt } from '@/lib/json/edit';
import { parseExactJson, sameJson } from '@/lib/json/exact';
import type { JsonSource } from '@/lib/json/source';
import { isObject, type JsonObject, own, textOrJson } from '@/lib/json/value';
import { type ArgumentError, argumentErrorsIn } from '@/lib/schema/argument-errors';
import { withDefaults } from '@/lib/schema/values';
import { view as viewOf } from '@/lib/schema/view';
import { callHeaders } from '@/lib/sharing/snippets/call-headers';
import type { DescribedRequest } from '@/lib/sharing/snippets/described-request';
import { requestSnippets, type Snippet } from '@/lib/sharing/snippets/request-snippets';
import type { Exchange } from '@/lib/store/exchanges/exchanges';
import { type Log, lastExchange } from '@/lib/store/log';
import { entrySource, messageSource } from '@/lib/store/message-source';
import type { ToolEntry } from '@/lib/store/state/state';
import { presentProfile } from '@/lib/wire/client-profile';
import { countOf } from '@/lib/wire/format';
import { LIMITS } from '@/lib/wire/limits';
import { messageText } from '@/lib/wire/message';
import type { TaskWish } from '@/lib/wire/task';
import { useFirstRead } from '../shared/first-read';
import { CopyOutputSchema, OutputMatch } from './output-match';
import { TaskChoice, useTaskChoice } from './task-choice';
import { isReadOnly, ToolHeading } from './tool-heading';
import { ToolSchema } from './tool-schema';

/** One tool: its description, an argument form, and the result of the newest call. */
export function ToolDetail({
  log,
  tool,
  calledAs,
  forHost,
}: {
  readonly log: Log;
  readonly tool: ToolEntry;
  /** The server's name of the tool, which calls in the log have. */
  readonly calledAs: string;
  /** An item about how the host sees the tool. */
  readonly forHost: MenuItem | undefined;
}) {
  // Drafts are kept under the server's name, so that they survive a restart.
  const server = useLogState(log, (state) => state.connection.start?.name ?? '');
  const request = useRequest(log, 'tools/call', calledAs);
  const { schema, initial } = useToolSchema(log, tool);
  const start = hasFields(schema) ? 'Form' : 'JSON';
  const draft = useDocument(documentKey('tool', server, tool.key), start, initial);
  const { text: sentText, bytes } = useSentArguments(log, request.exchange);
  const sent = useSentDocument(sentText, start);
  const meta = useCallMeta('tool', server, tool.key);
  const { readOnly } = request;
  const away = readOnly && bytes !== 'here';
  const document = readOnly ? sent : draft;
  const value = document.parsed.ok ? document.parsed.value : undefined;
  const complaints = useComplaints(log, request.exchange, schema, value);
  const checking = useChecker(schema, document, complaints);
  // Saved calls are kept under the server's own name, because they do not depend on how it was started.
  const identity = useLogState(log, (state) => state.server?.info?.name) || server;
  const saved = useSavedCalls(identity, tool.key, !readOnly);
  const consented = useConsentedCall(log);
  const asTask = useTaskChoice(log, tool);
  const fill = useFill(document, schema, checking);
  const fillsInBar = offersFill(document);
  const { meta: extraMeta } = useProfile(log);
  const [asksMeta, setAsksMeta] = useState(false);
  const [addsField, setAddsField] = useState(false);
  /** The text that a destructive tool was not called with, because it is invalid. */
  const [held, setHeld] = useState<string>();
  const isHeld = held === document.text;
  const asked: CallToConfirm = {
    args: document.text,
    check: async () => {
      const problems = isHeld ? [] : await checking.check();
      if (problems === undefined) return false;
      if (problems.length === 0) return true;
      setHeld(document.text);
      const invalid = new Map(problems.map(({ path }) => [pathKey(path), path]));
      if (document.mode === 'Form') document.reveal.revealField(firstInPage(invalid));
      return false;
    },
  };
  const params = () => namedParams(tool.raw, document.text, meta.text);
  const blocked =
    asTask.blocked ?? whyNotSendable(document) ?? (metaFieldProblem(meta) && 'The _meta is not a JSON object');
  const call = () => {
    if (blocked !== undefined || readOnly) return;
    document.problems.showAll();
    consented(
      tool.raw,
      () => {
        const text = storableArguments(document.text);
        if (text !== undefined) void saved.change({ kind: 'remember', text });
        request.send(params(), asTask.wish);
      },
      asked,
    );
  };
  const called = useLogState(log, () => lastExchange(log, 'tools/call') !== undefined);
  /** Fills in a sample, and calls the tool if it says that it changes nothing. */
  const tryIt = async () => {
    const text = await fill.sample();
    if (text === undefined || asTask.blocked !== undefined) return;
    if (isReadOnly(tool.raw)) request.send(namedParams(tool.raw, text, meta.text), asTask.wish);
    else focusSend();
  };
  const several = useBatching({
    request,
    name: tool.name,
    blocked,
    params,
    consented: (start) => consented(tool.raw, start, asked),
  });
  const compare = (one: number, other: number) => {
    COMPARING.set(log, { diff: [one, other] });
    navigate({ frame: other });
  };
  const { feedback, copy } = useCopy();
  const named = useMemo(() => ({ name: own(tool.raw, 'name') }), [tool]);
  return (
    <RequestPane
      bar={
        <RequestBar
          request={request}
          action="Call tool"
          onSend={call}
          tools={
            <>
              {fillsInBar ? <FillMenu fill={fill} /> : fill.failure}
              <HistoryMenu saved={saved} document={document} />
              <TaskChoice choice={asTask} />
            </>
          }
          aside={
            <>
              {!away && <ProblemCount document={document} />}
              <span aria-live="polite" className="text-small text-muted">
                {feedback ?? (isHeld ? 'Not called. Correct it, or call again' : undefined)}
              </span>
            </>
          }
          more={() => [
            ...(fillsInBar || readOnly ? [] : fill.items()),
            ...(several.ask ? [{ label: 'Repeat…', separatorBefore: !fillsInBar, run: several.ask }] : []),
            ...(readOnly || document.mode === 'JSON' ? [] : [{ label: 'Add a field…', run: () => setAddsField(true) }]),
            ...(readOnly ? [] : [{ label: 'Add _meta…', run: () => setAsksMeta(true) }]),
            ...(forHost ? [forHost] : []),
            ...callSnippets(log, tool, schema, document.text, meta.text, asTask.wish).map(({ label, text }, at) => ({
              label: `Copy as ${label}`,
              separatorBefore: at === 0 && !readOnly,
              run: () => void copy(text),
            })),
          ]}
          blocked={blocked}
        />
      }
      result={
        <div className="flex min-w-0 flex-col gap-3">
          {several.batch && <BatchResult log={log} batch={several.batch} onCompare={compare} onClose={several.close} />}
          <ResultRegion
            request={request}
            empty={
              called || request.closed !== undefined ? (
                'Call the tool to see its result'
              ) : (
                <>
                  Call the tool to see its result, or{' '}
                  <button type="button" className="text-link" onClick={() => void tryIt()}>
                    try it
                  </button>{' '}
                  with sample arguments
                </>
              )
            }
            question={(call) => <InlineQuestion log={log} call={call} />}
            schema={<ToolSchema log={log} tool={tool} calledAs={calledAs} />}
            views={RESULT_VIEWS.filter(({ fits }) => fits(tool.raw)).map(({ id, title, Component }) => ({
              id,
              title,
              body: (
                <Suspense fallback={<Spinner label="Loading" />}>
                  <Component log={log} tool={tool.raw} calledAs={calledAs} />
                </Suspense>
              ),
            }))}
          >
            {(result, invalid) => (
              <ToolResult
                log={log}
                result={result}
                tool={calledAs}
                outputSchema={own(tool.raw, 'outputSchema')}
                isFaultShown={invalid?.field.startsWith(STRUCTURED) ?? false}
              />
            )}
          </ResultRegion>
          {several.dialog}
        </div>
      }
    >
      <ToolHeading tool={tool} aside={!away && <ModeSwitch document={document} />} />
      <DocumentEditor
        document={document}
        schema={schema}
        unchecked={checking.unchecked}
        empty="This tool takes no arguments"
        instead={away && <TextNotLoaded gone={bytes === 'gone'} />}
        onSubmit={call}
        addsField={addsField}
      />
      {!readOnly && (
        <div className="flex min-w-0 flex-col gap-0.5">
          <HeaderPreview log={log} method="tools/call" params={named} schema={schema} argumentsText={document.text} />
          {(asksMeta || meta.sent || extraMeta) && (
            <CallMeta key={String(asksMeta)} meta={meta} extra={extraMeta} isAsked={asksMeta} />
          )}
        </div>
      )}
    </RequestPane>
  );
}

/** Returns a tool's input schema, and the arguments to start with. */
function useToolSchema(log: Log, tool: ToolEntry): { readonly schema: unknown; readonly initial: string } {
  const schema = useMemo(() => {
    const written = entrySource(log, 'tools', tool)?.member('inputSchema');
    // Parsed from its text, so that numbers in defaults and choices keep their digits.
    return written && written.length <= LIMITS.editorSchemaChars
      ? parseExactJson(written.text)
      : own(tool.raw, 'inputSchema');
  }, [log, tool]);
  const [prefills] = usePrefill();
  const initial = useMemo(
    () => (prefills ? withDefaults(schema, { text: '{}', value: {} }).text : '{}'),
    [prefills, schema],
  );
  return { schema, initial };
}

/** True if a form can edit the arguments. Clients reject tools with other schemas; the user can still write JSON. */
function hasFields(schema: unknown): boolean {
  return isObject(schema) && own(schema, 'type') === 'object' && viewOf(schema, schema).kind !== 'any';
}

/** Content blocks shown; the rest of a longer result is under Raw. */
const MOST_BLOCKS = 200;

const STRUCTURED = 'structuredContent';
const SHOWN = ['content', STRUCTURED, 'isError', 'resultType'];

/** A `tools/call` result: content blocks, structured content, then other members. */
function ToolResult({
  log,
  tool,
  result,
  outputSchema,
  isFaultShown,
}: {
  readonly log: Log;
  readonly tool: string;
  readonly result: JsonSource;
  /** undefined if the tool has none. */
  readonly outputSchema: unknown;
  /** The fault of the structured content is shown above. */
  readonly isFaultShown: boolean;
}) {
  if (result.kind !== 'object') {
    return (
      <>
        <p className="text-warn">! The result is not an object. Shown as JSON</p>
        <JsonTree json={result} />
      </>
    );
  }
  const content = result.member('content');
  const structured = result.member(STRUCTURED);
  const list = content?.kind === 'array' ? content.children(MOST_BLOCKS) : undefined;
  return (
    <div className="min-w-0">
      {content && !list && (
        <>
          <p className="text-warn">! content is not an array. Shown as JSON</p>
          <JsonTree json={content} />
        </>
      )}
      {list?.count === 0 && <p className="text-muted">content is empty</p>}
      {list?.children.map(({ source }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: blocks have no other identity
        <ContentBlock key={index} block={source} linkAction={(uri) => <ReadLink log={log} uri={uri} />} />
      ))}
      {list && list.count > MOST_BLOCKS && (
        <p className="text-muted">{countOf(list.count - MOST_BLOCKS, 'more block')} under Raw</p>
      )}
      {structured && (
        <section aria-label="structuredContent" className="border-t border-line py-2">
          <div className="mb-1 flex flex-wrap items-baseline gap-x-2 text-small">
            <h4 className="text-muted">structuredContent</h4>
            {outputSchema !== undefined && result.member('isError')?.value !== true && (
              <OutputMatch schema={outputSchema} value={structured} isFaultShown={isFaultShown} />
            )}
            <span className="ml-auto">
              <CopyOutputSchema log={log} tool={tool} />
            </span>
          </div>
          <JsonTree json={structured} />
        </section>
      )}
      <OtherMembers result={result} shown={SHOWN} />
    </div>
  );
}

/** Shows a resource in its panel, and reads it if it was not read yet. */
function ReadLink({ log, uri }: { readonly log: Log; readonly uri: string }) {
  const firstRead = useFirstRead(log);
  const open = () => {
    navigate({ panel: 'resources', item: uri });
    firstRead(uri);
  };
  return (
    <Button size="small" onClick={open}>
      Open in Resources
    </Button>
  );
}

/**
 * Returns the formats in which an unsent call can be copied. Arguments that are not JSON can only be copied as text.
 */
export function callSnippets(
  log: Log,
  tool: ToolEntry,
  schema: unknown,
  argumentsText: string,
  metaText = '',
  task?: TaskWish,
): readonly Snippet[] {
  const { start, era, version, transport, profile } = log.state.connection;
  const first = { label: 'Arguments', text: () => argumentsText };
  try {
    const params = namedParams(tool.raw, argumentsText, metaText);
    const body = messageText('tools/call', 1, params, era === 'modern' ? listingMeta(log) : {});
    const message = { label: 'Request', text: () => body };
    if (start === undefined) return [first, message];
    const client = presentProfile(profile, start);
    const request: DescribedRequest = { method: 'tools/call', params, start, era, version, profile: client, task };
    const headers = callHeaders(request, textOrJson(own(tool.raw, 'name')), schema, argumentsText);
    // Over HTTP+SSE the server names the URL for messages, which is not known yet.
    const url = start.transport === 'stdio' || transport === 'sse' ? undefined : start.url;
    return [first, message, ...requestSnippets(request, url === undefined ? undefined : { url, headers, body })];
  } catch {
    return [first];
  }
}

/** Returns the `_meta` of our requests. */
function listingMeta(log: Log): JsonObject {
  const listing = log.latestRequest('tools/list');
  const meta =
    listing === undefined ? undefined : messageSource(log, listing)?.member('params')?.member('_meta')?.value;
  return isObject(meta) ? meta : {};
}

const NONE: readonly never[] = [];

/**
 * Returns the server's errors about the newest call's arguments, by field. An error goes away when its field's value
 * changes.
 */
function useComplaints(
  log: Log,
  exchange: Exchange | undefined,
  schema: unknown,
  value: unknown,
): readonly FieldProblem[] {
  const refusal = useMemo(() => refusalOf(log, exchange, schema), [log, exchange, schema]);
  return useMemo(() => {
    if (refusal === undefined) return NONE;
    const { complaints, sent } = refusal;
    const standing = complaints.filter(({ path }) =>
      sameJson(valueAt(sent, path) ?? null, valueAt(value, path) ?? null),
    );
    return standing.map(({ path, text }): FieldProblem => ({ path, text, source: 'server' }));
  }, [refusal, value]);
}

interface Refusal {
  readonly complaints: readonly ArgumentError[];
  readonly sent: unknown;
}

function refusalOf(log: Log, exchange: Exchange | undefined, schema: unknown): Refusal | undefined {
  if (exchange?.status !== 'error' && exchange?.status !== 'tool-error') return undefined;
  const answer = responseOf(log, exchange);
  if (answer === undefined) return undefined;
  const sent = messageSource(log, exchange.requestSeq, exchange.id)?.member('params')?.member('arguments')?.value;
  const view = viewOf(schema, schema);
  const names = view.kind === 'object' ? view.properties.map(({ name }) => name) : [];
  return { complaints: argumentErrorsIn(errorTexts(answer), answer.error?.member('data')?.value, sent, names), sent };
}
