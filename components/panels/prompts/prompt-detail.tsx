import { useCallback, useMemo, useRef } from 'react';
import { InlineQuestion } from '@/components/answers/inline-question';
import { HeaderPreview } from '@/components/exchange/header-preview';
import { MessageList } from '@/components/exchange/message-list';
import { RequestBar } from '@/components/exchange/request-bar';
import { RequestPane } from '@/components/exchange/request-pane';
import { ResultRegion } from '@/components/exchange/result-region';
import { useComplete } from '@/components/exchange/use-complete';
import { namedParams, useRequest, useSentArguments } from '@/components/exchange/use-request';
import { CallMeta, metaFieldProblem, useCallMeta } from '@/components/form/call-meta';
import { ProblemCount, useChecker } from '@/components/form/checking';
import { DocumentEditor, ModeSwitch } from '@/components/form/document-editor';
import { documentKey, useDocument, useSentDocument, whyNotSendable } from '@/components/form/use-document';
import { TextNotLoaded } from '@/components/ui/notices';
import { Markdown } from '@/components/untrusted/markdown';
import { IconFacts, ServerIcon } from '@/components/untrusted/server-icon';
import { WireName } from '@/components/untrusted/wire-name';
import { useProfile } from '@/lib/hooks/client-profile';
import { useLogState } from '@/lib/hooks/log';
import { isObject, type JsonObject, own } from '@/lib/json/value';
import type { Log } from '@/lib/store/log';
import type { PromptEntry } from '@/lib/store/state/state';
import { ListedIn } from '../shared/freshness';

const NO_COMPLAINTS: readonly never[] = [];

/** One prompt: its arguments, and the messages of the last request. */
export function PromptDetail({ log, prompt }: { readonly log: Log; readonly prompt: PromptEntry }) {
  const server = useLogState(log, (state) => state.connection.start?.name ?? '');
  const request = useRequest(log, 'prompts/get', prompt.name);
  const draft = useDocument(documentKey('prompt', server, prompt.key));
  const { text: sentText, bytes } = useSentArguments(log, request.exchange);
  const sent = useSentDocument(sentText);
  const meta = useCallMeta('prompt', server, prompt.key);
  const { readOnly } = request;
  const away = readOnly && bytes !== 'here';
  const document = readOnly ? sent : draft;
  const latest = useRef<unknown>(undefined);
  latest.current = document.parsed.ok ? document.parsed.value : undefined;
  const context = useCallback(() => latest.current, []);
  const complete = useComplete(log, JSON.stringify({ type: 'ref/prompt', name: own(prompt.raw, 'name') }), context);
  const schema = useMemo(() => promptSchema(prompt.raw), [prompt.raw]);
  const checking = useChecker(schema, document, NO_COMPLAINTS);
  const description = own(prompt.raw, 'description');
  const blocked = whyNotSendable(document) ?? (metaFieldProblem(meta) && 'The _meta is not a JSON object');
  const { meta: extraMeta } = useProfile(log);
  const named = useMemo(() => ({ name: own(prompt.raw, 'name') }), [prompt.raw]);
  const get = () => {
    if (blocked !== undefined || readOnly) return;
    document.problems.showAll();
    request.send(namedParams(prompt.raw, document.text, meta.text));
  };
  return (
    <RequestPane
      bar={
        <RequestBar
          request={request}
          action="Get prompt"
          onSend={get}
          aside={!away && <ProblemCount document={document} />}
          blocked={blocked}
        />
      }
      result={
        <ResultRegion
          request={request}
          empty="Get the prompt to see its messages"
          question={(call) => <InlineQuestion log={log} call={call} />}
        >
          {(result) => <MessageList from={result} />}
        </ResultRegion>
      }
    >
      <header className="flex min-w-0 flex-col gap-1">
        <div className="flex min-h-7 min-w-0 items-center gap-2">
          <ServerIcon entry={prompt.raw} size={20} />
          <h2 className="min-w-0 font-mono font-medium">
            <WireName text={prompt.name || '(no name)'} limit={200} />
          </h2>
          <span className="ml-auto shrink-0">{!away && <ModeSwitch document={document} />}</span>
        </div>
        {prompt.problem !== undefined && <p className="text-warn">! Malformed prompt. {prompt.problem}</p>}
        {typeof description === 'string' && description !== '' && <Markdown text={description} />}
      </header>
      <DocumentEditor
        document={document}
        schema={schema}
        empty="This prompt takes no arguments"
        instead={away && <TextNotLoaded gone={bytes === 'gone'} />}
        onSubmit={get}
        unchecked={checking.unchecked}
        complete={complete}
      />
      {!readOnly && (
        <div className="flex min-w-0 flex-col gap-0.5">
          <HeaderPreview log={log} method="prompts/get" params={named} schema={undefined} argumentsText="" />
          <CallMeta meta={meta} extra={extraMeta} />
        </div>
      )}
      <footer className="flex flex-wrap gap-x-4 gap-y-1 border-t border-line pt-2 text-small text-muted">
        <ListedIn log={log} seq={prompt.seq} />
        <IconFacts entry={prompt.raw} />
      </footer>
    </RequestPane>
  );
}

/** Returns a schema with a string property for each argument of a prompt. */
export function promptSchema(prompt: JsonObject): object {
  const declared = own(prompt, 'arguments');
  const named = (Array.isArray(declared) ? declared : []).flatMap((argument) => {
    const name = isObject(argument) ? own(argument, 'name') : undefined;
    return isObject(argument) && typeof name === 'string' ? [{ name, argument }] : [];
  });
  return {
    type: 'object',
    properties: Object.fromEntries(
      named.map(({ name, argument }) => [
        name,
        { type: 'string', title: own(argument, 'title'), description: own(argument, 'description') },
      ]),
    ),
    required: named.filter(({ argument }) => own(argument, 'required') === true).map(({ name }) => name),
  };
}
