import { quote } from 'shlex';
import { CopyButton } from '@/components/ui/copy-button';
import { visibleText } from '@/components/ui/visible-text';
import type { Target } from '@/lib/wire/command';

/** What to run in a terminal for a server that this page can't reach by itself. */
export function TerminalNote({ target, children }: { readonly target: Target; readonly children: string }) {
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
