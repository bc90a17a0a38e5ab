import { quote } from 'shlex';
import { visibleText } from '@/components/ui/visible-text';
import type { Target } from '@/lib/wire/command';

/** Exactly what a target starts or reaches: the URL, or the command, then each argument on a line of its own, quoted where a shell would need it. */
export function WhatWillRun({ target }: { readonly target: Target }) {
  if (target.transport !== 'stdio') {
    return (
      <p className="rounded border border-line bg-surface p-2 font-mono text-wire break-all">
        {visibleText(target.url)}
      </p>
    );
  }
  const lines = [target.command, ...target.args];
  return (
    <ol aria-label="What will run" className="rounded border border-line bg-surface p-2 font-mono text-wire">
      {lines.map((line, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: an argument is its place
        <li key={index} className={index === 0 ? 'break-all' : 'pl-4 break-all'}>
          {visibleText(quote(line))}
        </li>
      ))}
    </ol>
  );
}
