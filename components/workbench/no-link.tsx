import { Button } from '@/components/ui/button';
import { ErrorNote } from '@/components/ui/error-note';
import type { Failure } from '@/lib/wire/lifecycle';
import { useNewLink } from './use-new-link';

/** The page has no token: says why there is such a thing, and how to get a link that works. */
export function NoLink({ failure }: { readonly failure?: Failure }) {
  const { asked, problem, ask } = useNewLink();
  return (
    <main className="mx-auto flex h-full max-w-[560px] flex-col justify-center gap-3 p-6">
      <h1 className="text-title font-medium">This page needs a link from the terminal</h1>
      {failure && <ErrorNote failure={failure} />}
      <p>
        mcp-inspect starts programs on this machine, so only a page opened by its own link may use it. A link works once
        and for a minute; reloading this tab and opening more tabs works as long as mcp-inspect runs.
      </p>
      <div className="flex items-center gap-3">
        <Button variant="primary" onClick={ask} disabled={asked === 'asking'}>
          Print a new link in the terminal
        </Button>
        <span role="status">{asked === 'printed' && 'Printed. Open it from the terminal.'}</span>
      </div>
      {problem && <ErrorNote failure={problem} />}
    </main>
  );
}
