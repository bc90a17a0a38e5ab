import { useEffect, useState } from 'react';
import { Button } from './button';

/** Copies what `text` returns at the press; says so for a moment. */
export function CopyButton({ text, label }: { readonly text: () => string; readonly label: string }) {
  const [state, setState] = useState<'idle' | 'copied' | 'refused'>('idle');
  useEffect(() => {
    if (state === 'idle') return;
    const timer = setTimeout(() => setState('idle'), 1500);
    return () => clearTimeout(timer);
  }, [state]);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text());
      setState('copied');
    } catch {
      setState('refused');
    }
  };
  return (
    <Button variant="ghost" size="small" onClick={copy}>
      <span aria-live="polite">{state === 'idle' ? label : state === 'copied' ? 'Copied' : 'The browser refused'}</span>
    </Button>
  );
}
