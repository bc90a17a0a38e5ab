import { visibleText } from '@/components/ui/visible-text';

/** Names of variables or headers, in the type of the wire. */
export function Names({ names }: { readonly names: readonly string[] }) {
  return <code className="font-mono text-wire">{visibleText(names.join(' '))}</code>;
}
