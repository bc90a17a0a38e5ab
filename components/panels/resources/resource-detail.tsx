import { InlineQuestion } from '@/components/answers/inline-question';
import { FrameLink } from '@/components/exchange/frame-link';
import { RequestBar } from '@/components/exchange/request-bar';
import { OtherMembers, ResultRegion } from '@/components/exchange/result-region';
import { useRequest } from '@/components/exchange/use-request';
import { ResourceContents } from '@/components/untrusted/content-block';
import { JsonTree } from '@/components/untrusted/json-tree';
import { Markdown } from '@/components/untrusted/markdown';
import { UntrustedText } from '@/components/untrusted/untrusted-text';
import type { JsonSource } from '@/lib/json/source';
import { isObject, own } from '@/lib/json/value';
import type { Log } from '@/lib/store/log';
import type { Entry, ResourceEntry } from '@/lib/store/state/state';
import { countOf, formatBytes } from '@/lib/wire/format';

interface ResourceDetailProps {
  readonly log: Log;
  readonly uri: string;
  /** undefined if the server does not list the uri. */
  readonly resource: ResourceEntry | undefined;
}

/** One resource: its description and contents. */
export function ResourceDetail({ log, uri, resource }: ResourceDetailProps) {
  return (
    <div className="flex min-h-0 flex-1 flex-col gap-3 overflow-auto p-3">
      <ResourceFacts entry={resource} uri={uri} />
      <ReadView log={log} uri={uri} />
    </div>
  );
}

/** The description of a resource or template. */
export function ResourceFacts({ entry, uri }: { readonly entry: Entry | undefined; readonly uri: string }) {
  const text = (key: string) => {
    const value = entry && own(entry.raw, key);
    return typeof value === 'string' && value !== '' ? value : undefined;
  };
  const size = entry && own(entry.raw, 'size');
  const description = text('description');
  return (
    <header className="flex min-w-0 flex-col gap-1">
      <div className="flex flex-wrap items-center gap-2">
        <h2 className="min-w-0 font-medium">
          <UntrustedText text={text('title') ?? (entry?.name || uri)} limit={200} />
        </h2>
        {entry && (
          <span className="text-small">
            <FrameLink seq={entry.seq} label="listed in" />
          </span>
        )}
      </div>
      <p>
        <UntrustedText text={uri || 'no uri'} limit={500} className="font-mono text-wire" />{' '}
        <span className="text-muted">
          {text('mimeType') !== undefined && <UntrustedText text={text('mimeType')!} limit={80} />}
          {typeof size === 'number' && ` ${formatBytes(size)}`}
        </span>
      </p>
      {!entry && <p className="text-muted">The server does not list this resource, but may still return it.</p>}
      {entry?.problem !== undefined && <p className="text-warn">! Malformed entry. {entry.problem}</p>}
      {description !== undefined && <Markdown text={description} />}
    </header>
  );
}

/** Items shown; the rest of a longer result is under Raw. */
const MOST_ITEMS = 100;

const SHOWN = ['contents', 'resultType'];

/** Reads a uri and shows its contents. */
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
      <ResultRegion
        request={request}
        empty="Read the resource to see its contents"
        question={(call) => <InlineQuestion log={log} call={call} />}
      >
        {(result) => <ReadResult result={result} />}
      </ResultRegion>
    </>
  );
}

function ReadResult({ result }: { readonly result: JsonSource }) {
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
          <ResourceContents key={index} contents={source.value} />
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
