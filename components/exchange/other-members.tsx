import { visibleText } from '@/components/ui/visible-text';
import { JsonTree } from '@/components/untrusted/json-tree';
import type { JsonSource } from '@/lib/wire/json-source';

/** Names told in the summary. */
const NAMED = 8;

/** Members of a result that have no view of their own, so that nothing a server sent is left out. */
export function OtherMembers({ result, shown }: { readonly result: JsonSource; readonly shown: readonly string[] }) {
  const type = result.member('resultType')?.value;
  // A result that is none yet is all in its other members.
  const open = type !== undefined && type !== 'complete';
  const { count, children } = result.children(NAMED, shown);
  if (count === 0) return null;
  return (
    <details open={open} className="border-t border-line pt-1">
      <summary className="text-muted">
        Other members: {visibleText(children.map(({ name }) => name?.slice(0, 40)).join(', '))}
        {count > NAMED && '…'}
      </summary>
      <JsonTree json={result} except={shown} />
    </details>
  );
}
