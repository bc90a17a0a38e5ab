import { OtherMembers } from '@/components/exchange/other-members';
import { RequestBar } from '@/components/exchange/request-bar';
import { ResultRegion } from '@/components/exchange/result-region';
import { useRequest } from '@/components/exchange/use-request';
import { JsonTree } from '@/components/ui/json-tree';
import { ResourceContents } from '@/components/untrusted/resource-contents';
import type { Log } from '@/lib/store/log';
import { isObject, own } from '@/lib/wire/message';

/** Items drawn; a result with more is read as JSON. */
const MOST_ITEMS = 100;

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

function ReadResult({ result }: { readonly result: unknown }) {
  const contents = isObject(result) ? own(result, 'contents') : undefined;
  if (!isObject(result) || !Array.isArray(contents)) {
    return (
      <>
        <p className="text-warn">! The result has no contents array: shown as it came.</p>
        <JsonTree value={result} />
      </>
    );
  }
  return (
    <div className="flex min-w-0 flex-col gap-3">
      {contents.length === 0 && <p className="text-muted">contents is empty.</p>}
      {contents.slice(0, MOST_ITEMS).map((item, index) =>
        isObject(item) ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: items have no other identity
          <ResourceContents key={index} contents={item} />
        ) : (
          // biome-ignore lint/suspicious/noArrayIndexKey: items have no other identity
          <JsonTree key={index} value={item} />
        ),
      )}
      {contents.length > MOST_ITEMS && (
        <p className="text-muted">{contents.length - MOST_ITEMS} more items: see them under Raw.</p>
      )}
      <OtherMembers result={result} shown={['contents', 'resultType']} />
    </div>
  );
}
