import { useEffect, useState } from 'react';
import { Button } from '@/components/ui/button';
import type { OldKey } from '@/components/ui/old-keys';
import { KeyHint, setOldKeyListener } from '@/components/ui/shortcuts';

const TOLD = 'mcp-inspect.old-keys';

/** Says once in this browser what replaces a single key that was pressed and has no meaning any more. */
export function OldKeyNote() {
  const [old, setOld] = useState<OldKey>();
  useEffect(() => {
    setOldKeyListener((pressed) => {
      const told = toldKeys();
      if (told.includes(pressed.keys)) return;
      setOld(pressed);
      rememberTold([...told, pressed.keys]);
    });
    return () => setOldKeyListener(() => {});
  }, []);
  if (!old) return null;
  return (
    <section
      aria-label="Changed key"
      className="flex min-h-8 shrink-0 flex-wrap items-center gap-x-2 border-b border-line bg-accent/8 px-3 py-1"
    >
      <p role="status" className="min-w-0">
        <KeyHint keys={old.keys} /> {old.did} in earlier versions. Press{' '}
        {old.now !== undefined && (
          <>
            <KeyHint keys={old.now} /> or{' '}
          </>
        )}
        <b className="font-medium">{old.button}</b> instead.
      </p>
      <Button size="small" onClick={() => setOld(undefined)}>
        Dismiss
      </Button>
    </section>
  );
}

/** Keys told in this page, if storage is unavailable. */
let remembered: readonly string[] = [];

function toldKeys(): readonly string[] {
  try {
    const saved: unknown = JSON.parse(localStorage.getItem(TOLD) ?? '[]');
    return Array.isArray(saved) ? [...remembered, ...saved.filter((key) => typeof key === 'string')] : remembered;
  } catch {
    return remembered;
  }
}

function rememberTold(keys: readonly string[]): void {
  remembered = keys;
  try {
    localStorage.setItem(TOLD, JSON.stringify(keys));
  } catch {
    // Without storage, the page repeats this after a reload.
  }
}
