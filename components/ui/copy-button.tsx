import { Button } from './button';
import { useCopy } from './use-copy';

/** Copies what `text` returns at the press; says so for a moment. */
export function CopyButton({ text, label }: { readonly text: () => string; readonly label: string }) {
  const { said, copy } = useCopy();
  return (
    <Button variant="ghost" size="small" onClick={() => void copy(text)}>
      <span aria-live="polite">{said ?? label}</span>
    </Button>
  );
}
