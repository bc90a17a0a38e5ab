import { OtherMembers } from '@/components/exchange/other-members';
import { RequestBar } from '@/components/exchange/request-bar';
import { ResultRegion } from '@/components/exchange/result-region';
import { useRequest } from '@/components/exchange/use-request';
import { JsonTree } from '@/components/untrusted/json-tree';
import { ResourceContents } from '@/components/untrusted/resource-contents';
import type { Log } from '@/lib/store/log';
import type { JsonSource } from '@/lib/wire/json-source';
import { isObject } from '@/lib/wire/message';

/** Items drawn; a result with more is read as JSON. */
const MOST_ITEMS = 100;

const SHOWN = ['contents', 'resultType'];

/** Reads one uri and shows what came back. */
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
      <ResultRegion request={request} empty="What the resource holds appears here.">
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
        <p className="text-warn">! The result has no contents array: shown as it came.</p>
        <JsonTree json={result} />
      </>
    );
  }
  const { count, children } = contents.children(MOST_ITEMS);
  return (
    <div className="flex min-w-0 flex-col gap-3">
      {count === 0 && <p className="text-muted">contents is empty.</p>}
      {children.map(({ source }, index) =>
        isObject(source.value) ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: items have no other identity
          <ResourceContents key={index} contents={source.value} />
        ) : (
          // biome-ignore lint/suspicious/noArrayIndexKey: items have no other identity
          <JsonTree key={index} json={source} />
        ),
      )}
      {count > MOST_ITEMS && <p className="text-muted">{count - MOST_ITEMS} more items: see them under Raw.</p>}
      <OtherMembers result={result} shown={SHOWN} />
    </div>
  );
}
