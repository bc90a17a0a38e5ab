import { keyLabel } from './platform-keys';

/** A key or a sequence of keys, as it is printed on this machine's keyboard: `⌘K` (Ctrl+K where there is no ⌘), `g t`. */
export function KeyHint({ keys }: { readonly keys: string }) {
  return (
    <span className="inline-flex gap-0.5">
      {keys.split(' ').map((key) => (
        <kbd key={key} className="rounded-sm border border-line px-1 font-mono text-small text-muted">
          {keyLabel(key)}
        </kbd>
      ))}
    </span>
  );
}
