import { OtherMembers } from '@/components/exchange/other-members';
import { Button } from '@/components/ui/button';
import { JsonTree } from '@/components/ui/json-tree';
import { ContentBlock } from '@/components/untrusted/content-block';
import { navigate } from '@/lib/hooks/use-location';
import { isObject, own } from '@/lib/wire/message';

/** Blocks drawn; a result with more is read as JSON. */
const MOST_BLOCKS = 200;

const SHOWN = ['content', 'structuredContent', 'isError', 'resultType'];

/** A `tools/call` result: its content blocks, its structured content, then whatever else it has. */
export function ToolResult({ result }: { readonly result: unknown }) {
  if (!isObject(result)) {
    return (
      <>
        <p className="text-warn">! The result is no object: shown as it came.</p>
        <JsonTree value={result} />
      </>
    );
  }
  const content = own(result, 'content');
  const structured = Object.hasOwn(result, 'structuredContent');
  const wrong = content !== undefined && !Array.isArray(content);
  const blocks: readonly unknown[] = Array.isArray(content) ? content : [];
  return (
    <div className="min-w-0">
      {wrong && (
        <>
          <p className="text-warn">! content is no array: shown as it came.</p>
          <JsonTree value={content} />
        </>
      )}
      {Array.isArray(content) && blocks.length === 0 && <p className="text-muted">content is empty.</p>}
      {blocks.slice(0, MOST_BLOCKS).map((block, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: blocks have no other identity
        <ContentBlock key={index} block={block} linkAction={(uri) => <ReadLink uri={uri} />} />
      ))}
      {blocks.length > MOST_BLOCKS && (
        <p className="text-muted">{blocks.length - MOST_BLOCKS} more blocks: see them under Raw.</p>
      )}
      {structured && (
        <section aria-label="structuredContent" className="border-t border-line py-2">
          <h4 className="text-small text-muted">structuredContent</h4>
          <JsonTree value={own(result, 'structuredContent')} />
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
