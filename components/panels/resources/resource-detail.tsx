import { InlineQuestion } from '@/components/answers/inline-question';
import { RequestBar } from '@/components/exchange/request-bar';
import { OtherMembers, ResultRegion } from '@/components/exchange/result-region';
import { type Request, useRequest } from '@/components/exchange/use-request';
import { Button } from '@/components/ui/button';
import { SEND_KEYS } from '@/components/ui/key-press';
import { ErrorNote } from '@/components/ui/notices';
import { useShortcuts } from '@/components/ui/shortcuts';
import { ResourceContents } from '@/components/untrusted/content-block';
import { JsonTree } from '@/components/untrusted/json-tree';
import type { JsonSource } from '@/lib/json/source';
import { isObject } from '@/lib/json/value';
import type { Log } from '@/lib/store/log';
import type { ResourceEntry } from '@/lib/store/state/state';
import { countOf } from '@/lib/wire/format';
import { Freshness } from '../shared/freshness';
import { DirectoryDetail, OpenDirectory, parentOf, useIsDirectory } from './directory';
import { ResourceChanges } from './resource-changes';
import { ResourceDiff } from './resource-diff';
import { ResourceSection } from './resource-facts';
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
  const asDirectory = useIsDirectory(log, uri, resource);
  if (asDirectory) return <DirectoryDetail log={log} uri={uri} entry={resource} />;
  return (
    <div className="flex min-h-0 flex-1 flex-col gap-3 overflow-auto p-3">
      <ResourceSection
        log={log}
        entry={resource}
        uri={uri}
        actions={
          <>
            {!request.readOnly && <ReadButton request={request} onRead={read} />}
            <SubscribeButton log={log} uri={uri} />
            {!resource && <OpenDirectory log={log} uri={uri} label="Read directory" />}
            <OpenDirectory log={log} uri={parentOf(uri)} label="Open its directory" />
          </>
        }
      />
      <ResourceChanges request={request} uri={uri} />
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
  useShortcuts([{ keys: SEND_KEYS, title: 'Read resource', run }]);
  if (exchange?.status === 'pending') return <Button onClick={cancel}>Cancel</Button>;
  return (
    <Button variant={exchange ? 'plain' : 'primary'} disabled={closed !== undefined} title={closed} onClick={onRead}>
      {exchange ? 'Read again' : 'Read resource'}
    </Button>
  );
}

/** Items shown; the rest of a longer result is under Raw. */
const MOST_ITEMS = 100;

const SHOWN = ['contents', 'resultType', 'ttlMs', 'cacheScope'];

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
        tools={blocked === undefined && <SubscribeButton log={log} uri={uri} />}
        blocked={blocked}
      />
      <div className="flex flex-col gap-3 border-t border-line p-3">
        <ResourceChanges request={request} uri={uri} />
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
      {(result) => (
        <>
          <p className="text-small">
            <Freshness log={request.log} seq={request.exchange!.responseSeq!} verb="read" />
          </p>
          <ResourceDiff log={request.log} uri={uri} />
          <Contents result={result} uri={uri} />
        </>
      )}
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
