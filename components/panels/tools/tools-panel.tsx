import { useMemo } from 'react';
import { RequestBar } from '@/components/exchange/request-bar';
import { OtherMembers, ResultRegion } from '@/components/exchange/result-region';
import { namedParams, useRequest, useSentArguments } from '@/components/exchange/use-request';
import { ProblemCount, useChecker } from '@/components/form/checking';
import { DocumentEditor } from '@/components/form/document-editor';
import { FillMenu, usePrefill } from '@/components/form/fill-menu';
import { HistoryMenu, storableArguments } from '@/components/form/saved-calls';
import { documentKey, useDocument, useSentDocument } from '@/components/form/use-document';
import { Button } from '@/components/ui/button';
import { CopyAsMenu } from '@/components/ui/menu';
import { TextNotLoaded } from '@/components/ui/notices';
import { ContentBlock } from '@/components/untrusted/content-block';
import { JsonTree } from '@/components/untrusted/json-tree';
import { navigate } from '@/lib/hooks/location';
import { useLogState } from '@/lib/hooks/log';
import { useSavedCalls } from '@/lib/hooks/saved-calls';
import { compactJson, parseJson } from '@/lib/json/exact';
import type { JsonSource } from '@/lib/json/source';
import { isObject, own } from '@/lib/json/value';
import { withDefaults } from '@/lib/schema/values';
import { view as viewOf } from '@/lib/schema/view';
import { callHeaders } from '@/lib/sharing/snippets/call-headers';
import type { DescribedRequest } from '@/lib/sharing/snippets/described-request';
import { requestSnippets, type Snippet } from '@/lib/sharing/snippets/request-snippets';
import type { Log } from '@/lib/store/log';
import { entrySource, messageSource } from '@/lib/store/message-source';
import type { ToolEntry } from '@/lib/store/state/state';
import { LIMITS } from '@/lib/wire/limits';
import { NamedListing } from '../shared/catalogue';
import { ToolHeading, toolTitle } from './tool-heading';
import { useComplaints } from './use-complaints';

/** The server's tools: what they say of themselves, a form to call each, and what came back. */
export function ToolsPanel({ log }: { readonly log: Log }) {
  return (
    <NamedListing log={log} what="tools" one="tool" titleOf={toolTitle}>
      {(tool) => <ToolDetail key={tool.key} log={log} tool={tool} />}
    </NamedListing>
  );
}

/** One tool: what it says of itself, its arguments, and beside them how its newest call went. */
export function ToolDetail({ log, tool }: { readonly log: Log; readonly tool: ToolEntry }) {
  // By the server's name, so that what was typed is there again after a restart.
  const server = useLogState(log, (state) => state.connection.start?.name ?? '');
  const request = useRequest(log, 'tools/call', tool.name);
  const schema = useMemo(() => {
    const written = entrySource(log, 'tools', tool)?.member('inputSchema');
    // Read from its text, so that defaults and choices keep their digits.
    return written && written.length <= LIMITS.editorSchemaChars
      ? parseJson(written.text)
      : own(tool.raw, 'inputSchema');
  }, [log, tool]);
  const [prefills] = usePrefill();
  const initial = useMemo(
    () => (prefills ? withDefaults(schema, { text: '{}', value: {} }).text : '{}'),
    [prefills, schema],
  );
  const start = hasFields(schema) ? 'Form' : 'JSON';
  const draft = useDocument(documentKey('tool', server, tool.key), start, initial);
  const { text: sentText, bytes } = useSentArguments(log, request.exchange);
  const sent = useSentDocument(sentText, start);
  const { readOnly } = request;
  const away = readOnly && bytes !== 'here';
  const document = readOnly ? sent : draft;
  const value = document.parsed.ok ? document.parsed.value : undefined;
  const complaints = useComplaints(log, request.exchange, schema, value);
  const checking = useChecker(schema, document, complaints);
  // By what the server calls itself: the same server under another command has the same calls.
  const identity = useLogState(log, (state) => state.server?.info?.name) || server;
  const saved = useSavedCalls(identity, tool.key, !readOnly);
  const call = () => {
    if (!document.parsed.ok || readOnly) return;
    const text = storableArguments(document.text);
    if (text !== undefined) void saved.change({ kind: 'remember', text });
    request.send(namedParams(tool.raw, document.text));
  };
  return (
    <div className="@container min-h-0 flex-1 overflow-auto scroll-pb-14 p-3">
      <ToolHeading log={log} tool={tool} />
      <div className="mt-3 grid min-w-0 grid-cols-[minmax(0,1fr)] gap-4 border-t border-line pt-3 @3xl:grid-cols-2">
        <div className="flex min-w-0 flex-col gap-3">
          <DocumentEditor
            document={document}
            schema={schema}
            unchecked={checking.unchecked}
            empty="This tool takes no arguments."
            heading={
              <div className="flex flex-wrap items-center gap-x-1">
                <h3 className="mr-2 font-medium">Arguments</h3>
                {!readOnly && <FillMenu document={document} schema={schema} checking={checking} />}
                {!readOnly && <HistoryMenu saved={saved} document={document} />}
                {!away && <CopyAsMenu snippets={() => callSnippets(log, tool, schema, document.text)} />}
              </div>
            }
            instead={away && <TextNotLoaded gone={bytes === 'gone'} />}
            onSubmit={call}
          />
          <RequestBar
            request={request}
            action="Call tool"
            onSend={call}
            aside={!away && <ProblemCount document={document} />}
            blocked={document.parsed.ok ? undefined : 'The Raw panel sends text that is not JSON.'}
          />
        </div>
        <ResultRegion request={request} empty="What the tool answers appears here.">
          {(result) => <ToolResult result={result} />}
        </ResultRegion>
      </div>
    </div>
  );
}

/** Other schemas can be drawn as well, but as what? Clients refuse the tool; its arguments are for the user to write. */
function hasFields(schema: unknown): boolean {
  return isObject(schema) && own(schema, 'type') === 'object' && viewOf(schema, schema).kind !== 'any';
}

/** Blocks drawn; a result with more is read as JSON. */
const MOST_BLOCKS = 200;

const SHOWN = ['content', 'structuredContent', 'isError', 'resultType'];

/** A `tools/call` result: its content blocks, its structured content, then whatever else it has. */
export function ToolResult({ result }: { readonly result: JsonSource }) {
  if (result.kind !== 'object') {
    return (
      <>
        <p className="text-warn">! The result is no object: shown as it came.</p>
        <JsonTree json={result} />
      </>
    );
  }
  const content = result.member('content');
  const structured = result.member('structuredContent');
  const list = content?.kind === 'array' ? content.children(MOST_BLOCKS) : undefined;
  return (
    <div className="min-w-0">
      {content && !list && (
        <>
          <p className="text-warn">! content is no array: shown as it came.</p>
          <JsonTree json={content} />
        </>
      )}
      {list?.count === 0 && <p className="text-muted">content is empty.</p>}
      {list?.children.map(({ source }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: blocks have no other identity
        <ContentBlock key={index} block={source} linkAction={(uri) => <ReadLink uri={uri} />} />
      ))}
      {list && list.count > MOST_BLOCKS && (
        <p className="text-muted">{list.count - MOST_BLOCKS} more blocks: see them under Raw.</p>
      )}
      {structured && (
        <section aria-label="structuredContent" className="border-t border-line py-2">
          <h4 className="text-small text-muted">structuredContent</h4>
          <JsonTree json={structured} />
        </section>
      )}
      <OtherMembers result={result} shown={SHOWN} />
    </div>
  );
}

function ReadLink({ uri }: { readonly uri: string }) {
  return (
    <Button size="small" onClick={() => navigate({ panel: 'resources', item: uri })}>
      Open in Resources
    </Button>
  );
}

/** A call that was not sent yet, in every form in which it can be copied. The arguments may be no JSON, then they are all there is. */
export function callSnippets(log: Log, tool: ToolEntry, schema: unknown, argumentsText: string): readonly Snippet[] {
  const { start, era, version, transport } = log.state.connection;
  const first = { label: 'Arguments', text: () => argumentsText };
  try {
    const params = namedParams(tool.raw, argumentsText);
    const body = callText(params, era === 'modern' ? metaText(log) : undefined);
    const message = { label: 'Request', text: () => body };
    if (start === undefined) return [first, message];
    const request: DescribedRequest = { method: 'tools/call', params, start, era, version };
    const headers = callHeaders(request, String(own(tool.raw, 'name') ?? ''), schema, argumentsText);
    // Over HTTP+SSE the server says where messages go, and nothing was posted yet.
    const url = start.transport === 'stdio' || transport === 'sse' ? undefined : start.url;
    return [first, message, ...requestSnippets(request, url === undefined ? undefined : { url, headers, body })];
  } catch {
    return [first];
  }
}

/** The whole `tools/call` message around its params. */
export function callText(params: string, meta: string | undefined): string {
  const whole = meta === undefined ? params : `${params.slice(0, -1)},"_meta":${compactJson(meta)}}`;
  return `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":${whole}}`;
}

/** The `_meta` that our requests carry. */
function metaText(log: Log): string | undefined {
  const listing = log.latestRequest('tools/list');
  const params = listing === undefined ? undefined : messageSource(log, listing)?.member('params');
  return params?.member('_meta')?.text;
}
