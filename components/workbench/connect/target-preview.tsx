import { quote } from 'shlex';
import { CopyButton } from '@/components/ui/button';
import { visibleText } from '@/components/ui/visible-text';
import type { Target } from '@/lib/wire/command';

/** Shows a target's URL, or its command with each argument on its own line, quoted as in a shell. */
export function CommandPreview({ target }: { readonly target: Target }) {
  if (target.transport !== 'stdio') {
    return (
      <p className="rounded border border-line bg-surface p-2 font-mono text-wire break-all">
        {visibleText(target.url)}
      </p>
    );
  }
  const lines = [target.command, ...target.args];
  return (
    <ol aria-label="Command to run" className="rounded border border-line bg-surface p-2 font-mono text-wire">
      {lines.map((line, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: arguments are never reordered
        <li key={index} className={index === 0 ? 'break-all' : 'pl-4 break-all'}>
          {visibleText(quote(line))}
        </li>
      ))}
    </ol>
  );
}

/** The command to run in a terminal, for a server that this page can't reach itself. */
export function TerminalCommand({ target, children }: { readonly target: Target; readonly children: string }) {
  const words = target.transport === 'stdio' ? ['--', target.command, ...target.args] : [target.url];
  const line = ['npx', 'mcp-inspect', ...words].map((word) => quote(word)).join(' ');
  return (
    <div className="flex flex-col gap-1">
      <p>{children}</p>
      <div className="flex items-start gap-2 rounded border border-line bg-surface p-2">
        <code className="min-w-0 flex-1 font-mono text-wire break-all">{visibleText(line)}</code>
        <CopyButton label="Copy" text={() => line} />
      </div>
    </div>
  );
}
