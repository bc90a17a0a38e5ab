import type { ReactNode } from 'react';
import { InlineQuestion } from '@/components/answers/inline-question';
import { FrameLink } from '@/components/exchange/frame-link';
import { RequestBar } from '@/components/exchange/request-bar';
import { OtherMembers, ResultRegion } from '@/components/exchange/result-region';
import { type Request, useRequest } from '@/components/exchange/use-request';
import { Button } from '@/components/ui/button';
import { ErrorNote } from '@/components/ui/notices';
import { useShortcuts } from '@/components/ui/shortcuts';
import { ResourceContents } from '@/components/untrusted/content-block';
import { JsonTree } from '@/components/untrusted/json-tree';
import { Markdown } from '@/components/untrusted/markdown';
import { UntrustedText } from '@/components/untrusted/untrusted-text';
import type { JsonSource } from '@/lib/json/source';
import { isObject, own } from '@/lib/json/value';
import type { Log } from '@/lib/store/log';
import type { Entry, ResourceEntry } from '@/lib/store/state/state';
import { countOf, formatBytes } from '@/lib/wire/format';
import { ResourceChanges } from './resource-changes';
import { SubscribeButton } from './resource-subscription';

interface ResourceDetailProps {
  readonly log: Log;
  readonly uri: string;
  /** undefined if the server does not list the uri. */
  readonly resource: ResourceEntry | undefined;
}

/** One resource: its description and contents. */
export function ResourceDetail({ log, uri, resource }: ResourceDetailProps) {
  const request = useRequest(log, 'resources/read', uri);
  const read = () => request.send(JSON.stringify({ uri }));
  return (
    <div className="flex min-h-0 flex-1 flex-col gap-3 overflow-auto p-3">
      <ResourceFacts
        entry={resource}
        uri={uri}
        actions={
          !request.readOnly && (
            <>
              <ReadButton request={request} onRead={read} />
              <SubscribeButton log={log} uri={uri} />
            </>
          )
        }
      />
      <ResourceChanges request={request} uri={uri} onRead={read} />
      {request.failure && <ErrorNote failure={request.failure} />}
      <ReadResult request={request} uri={uri} />
    </div>
  );
}

interface ReadButtonProps {
  readonly request: Request;
  readonly onRead: () => void;
}

/** Reads the resource, or cancels that. */
function ReadButton({ request: { exchange, closed, cancel }, onRead }: ReadButtonProps) {
  const run = () => closed === undefined && onRead();
  useShortcuts([{ keys: 'mod+enter', title: 'Read resource', whileTyping: true, run }]);
  if (exchange?.status === 'pending') return <Button onClick={cancel}>Cancel</Button>;
  return (
    <Button variant={exchange ? 'plain' : 'primary'} disabled={closed !== undefined} title={closed} onClick={onRead}>
      {exchange ? 'Read again' : 'Read resource'}
    </Button>
  );
}

interface ResourceFactsProps {
  /** undefined if the server does not list it. */
  readonly entry: Entry | undefined;
  readonly uri: string;
  /** Buttons beside the title. */
  readonly actions?: ReactNode;
}

/** The description of a resource or template. */
export function ResourceFacts({ entry, uri, actions }: ResourceFactsProps) {
  const text = (key: string) => {
    const value = entry && own(entry.raw, key);
    return typeof value === 'string' && value !== '' ? value : undefined;
  };
  const size = entry && own(entry.raw, 'size');
  const description = text('description');
  return (
    <header className="flex min-w-0 flex-col gap-1">
      <div className="flex flex-wrap items-start gap-x-3 gap-y-1">
        <div className="flex min-h-7 min-w-0 flex-1 basis-60 flex-wrap items-baseline gap-x-2 pt-1">
          <h2 className="min-w-0 font-medium">
            <UntrustedText text={text('title') ?? (entry?.name || uri)} limit={200} />
          </h2>
          <UntrustedText text={uri || 'no uri'} limit={500} className="min-w-0 font-mono text-wire wrap-anywhere" />
          <span className="text-muted">
            {text('mimeType') !== undefined && <UntrustedText text={text('mimeType')!} limit={80} />}
            {typeof size === 'number' && ` ${formatBytes(size)}`}
          </span>
        </div>
        <div className="flex min-h-7 flex-wrap items-center gap-2">
          {entry && (
            <span className="text-small">
              <FrameLink seq={entry.seq} label="listed in" />
            </span>
          )}
          {actions}
        </div>
      </div>
      {!entry && <p className="text-muted">The server does not list this resource, but may still return it.</p>}
      {entry?.problem !== undefined && <p className="text-warn">! Malformed entry. {entry.problem}</p>}
      {description !== undefined && <Markdown text={description} />}
    </header>
  );
}

/** Items shown; the rest of a longer result is under Raw. */
const MOST_ITEMS = 100;

const SHOWN = ['contents', 'resultType'];

/** Reads the uri of a template and shows its contents. */
export function ReadView({
  log,
  uri,
  blocked,
}: {
  readonly log: Log;
  readonly uri: string;
  readonly blocked?: string;
}) {
  const request = useRequest(log, 'resources/read', uri);
  return (
    <>
      <RequestBar
        request={request}
        action="Read resource"
        onSend={() => request.send(JSON.stringify({ uri }))}
        blocked={blocked}
      />
      <div className="border-t border-line p-3">
        <ReadResult request={request} uri={uri} />
      </div>
    </>
  );
}

function ReadResult({ request, uri }: { readonly request: Request; readonly uri: string }) {
  return (
    <ResultRegion
      request={request}
      empty="Read the resource to see its contents"
      question={(call) => <InlineQuestion log={request.log} call={call} />}
    >
      {(result) => <Contents result={result} uri={uri} />}
    </ResultRegion>
  );
}

function Contents({ result, uri }: { readonly result: JsonSource; readonly uri: string }) {
  const contents = result.member('contents');
  if (contents?.kind !== 'array') {
    return (
      <>
        <p className="text-warn">! The result has no contents array. Shown as JSON</p>
        <JsonTree json={result} />
      </>
    );
  }
  const { count, children } = contents.children(MOST_ITEMS);
  return (
    <div className="flex min-w-0 flex-col gap-3">
      {count === 0 && <p className="text-muted">contents is empty</p>}
      {children.map(({ source }, index) =>
        isObject(source.value) ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: items have no other identity
          <ResourceContents key={index} contents={source.value} readUri={uri} />
        ) : (
          // biome-ignore lint/suspicious/noArrayIndexKey: items have no other identity
          <JsonTree key={index} json={source} />
        ),
      )}
      {count > MOST_ITEMS && <p className="text-muted">{countOf(count - MOST_ITEMS, 'more item')} under Raw</p>}
      <OtherMembers result={result} shown={SHOWN} />
    </div>
  );
}
