import { useMemo } from 'react';
import { CopyAsMenu } from '@/components/exchange/copy-as-menu';
import { namedParams } from '@/components/exchange/named-params';
import { RequestBar } from '@/components/exchange/request-bar';
import { ResultRegion } from '@/components/exchange/result-region';
import { useSentText } from '@/components/exchange/sent-text';
import { useRequest } from '@/components/exchange/use-request';
import { DocumentEditor } from '@/components/form/document-editor';
import { documentKey } from '@/components/form/document-key';
import { FillMenu } from '@/components/form/fill-menu';
import { HistoryMenu } from '@/components/form/history-menu';
import { ProblemCount } from '@/components/form/problem-count';
import { keptText } from '@/components/form/saved-calls';
import { useChecker } from '@/components/form/use-checker';
import { useDocument } from '@/components/form/use-document';
import { usePrefill } from '@/components/form/use-prefill';
import { useSentDocument } from '@/components/form/use-sent-document';
import { BytesAway } from '@/components/ui/bytes-away';
import { useLogState } from '@/lib/hooks/use-log';
import { useSavedCalls } from '@/lib/hooks/use-saved-calls';
import { withDefaults } from '@/lib/schema/defaults';
import { parseJson } from '@/lib/schema/json';
import { view as viewOf } from '@/lib/schema/view';
import { entrySource } from '@/lib/store/answer-source';
import type { Log } from '@/lib/store/log';
import type { ToolEntry } from '@/lib/store/state';
import { LIMITS } from '@/lib/wire/limits';
import { isObject, own } from '@/lib/wire/message';
import { callSnippets } from './call-snippets';
import { ToolHeading } from './tool-heading';
import { ToolResult } from './tool-result';
import { useComplaints } from './use-complaints';

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
  const { text: sentText, bytes } = useSentText(log, request.exchange);
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
    const text = keptText(document.text);
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
            instead={away && <BytesAway gone={bytes === 'gone'} />}
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
