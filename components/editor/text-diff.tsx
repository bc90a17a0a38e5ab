import { useEffect, useRef, useState } from 'react';
import { visibleText } from '@/components/ui/visible-text';
import { loadMonaco } from './monaco';

/** A read-only comparison of two texts side by side. */
export function TextDiff({
  label,
  before,
  after,
  language = 'json',
  className,
}: {
  /** Accessible name. */
  readonly label: string;
  readonly before: string;
  readonly after: string;
  /** JSON is coloured and checked. */
  readonly language?: 'json' | 'plaintext';
  /** Must set a height. */
  readonly className?: string;
}) {
  const box = useRef<HTMLDivElement>(null);
  const [state, setState] = useState<'loading' | 'shown' | 'failed'>('loading');
  useEffect(() => {
    let dispose: (() => void) | undefined;
    let wanted = true;
    loadMonaco().then(
      ({ editor }) => {
        if (!wanted || box.current === null) return;
        const original = editor.createModel(before, language);
        const modified = editor.createModel(after, language);
        const diff = editor.createDiffEditor(box.current, { ...OPTIONS, ariaLabel: label });
        diff.setModel({ original, modified });
        setState('shown');
        dispose = () => {
          diff.dispose();
          original.dispose();
          modified.dispose();
        };
      },
      () => wanted && setState('failed'),
    );
    return () => {
      wanted = false;
      dispose?.();
    };
  }, [label, before, after, language]);
  return (
    <section aria-label={label} className={`relative min-h-0 min-w-0 ${className ?? ''}`}>
      <div ref={box} className="absolute inset-0" />
      {state === 'loading' && (
        <p role="status" className="p-2 text-muted">
          Loading the editor…
        </p>
      )}
      {state === 'failed' && (
        <div className="absolute inset-0 grid grid-cols-2 gap-2 overflow-auto">
          {[before, after].map((text, side) => (
            <pre key={side === 0 ? 'before' : 'after'} className="font-mono text-wire break-words whitespace-pre-wrap">
              {visibleText(text)}
            </pre>
          ))}
        </div>
      )}
    </section>
  );
}

const OPTIONS = {
  automaticLayout: true,
  fontFamily: 'var(--font-geist-mono, ui-monospace), monospace',
  fontSize: 12,
  hideUnchangedRegions: { enabled: true },
  lineHeight: 18,
  minimap: { enabled: false },
  originalEditable: false,
  readOnly: true,
  renderOverviewRuler: false,
  scrollBeyondLastLine: false,
  useInlineViewWhenSpaceIsLimited: true,
  wordWrap: 'on',
} as const;
