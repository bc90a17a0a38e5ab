import { OtherMembers } from '@/components/exchange/other-members';
import { Button } from '@/components/ui/button';
import { ContentBlock } from '@/components/untrusted/content-block';
import { JsonTree } from '@/components/untrusted/json-tree';
import { navigate } from '@/lib/hooks/use-location';
import type { JsonSource } from '@/lib/wire/json-source';

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
