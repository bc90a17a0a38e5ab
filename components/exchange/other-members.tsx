import { JsonTree } from '@/components/ui/json-tree';
import { type JsonObject, own } from '@/lib/wire/message';

/** Members of a result that have no view of their own, so that nothing a server sent is left out. */
export function OtherMembers({ result, shown }: { readonly result: JsonObject; readonly shown: readonly string[] }) {
  const type = own(result, 'resultType');
  // A result that is none yet is all in its other members.
  const open = type !== undefined && type !== 'complete';
  const rest = Object.entries(result).filter(([name]) => !shown.includes(name));
  if (rest.length === 0) return null;
  return (
    <details open={open} className="border-t border-line pt-1">
      <summary className="text-muted">
        Other members:{' '}
        {rest
          .map(([name]) => name.slice(0, 40))
          .slice(0, 8)
          .join(', ')}
      </summary>
      <JsonTree value={Object.fromEntries(rest)} />
    </details>
  );
}
