import { formatCount } from '@/components/ui/format';
import { visibleText } from '@/components/ui/visible-text';
import { useEnvironment } from '@/lib/hooks/use-environment';
import { baseOf, isUnchanged, type ServerDraft } from './server-draft';

/** What a server gets besides the variables named for it: by name, and why these. */
export function InheritedNames({ draft }: { readonly draft: ServerDraft }) {
  const { environment } = useEnvironment();
  if (!environment) return null;
  const ofShell = baseOf(draft)?.policy === 'shell';
  const whole = ofShell && isUnchanged(draft);
  const own = new Set(draft.environment.map((row) => row.name.trim()));
  const names = (whole ? environment.shell : environment.allowlist).filter((name) => !own.has(name));
  const count = formatCount(names.length);
  return (
    <div>
      <details>
        <summary className="text-muted">
          {whole
            ? `Besides these it inherits all ${count} variables of the shell that mcp-inspect was started in`
            : `Besides these it inherits ${count} variables, and nothing else`}
        </summary>
        <p className="pt-1 pl-4 font-mono text-wire break-words">{names.map((name) => visibleText(name)).join('  ')}</p>
      </details>
      {ofShell && !whole && (
        <p className="text-warn">
          The shell’s other variables go only to the command, arguments and directory given on the command line.
        </p>
      )}
    </div>
  );
}
