import { useState } from 'react';
import { Button } from '@/components/ui/button';
import { ErrorNote } from '@/components/ui/notices';
import { requestNewLink } from '@/lib/hooks/launch';
import type { Failure } from '@/lib/wire/lifecycle';

/** Asks mcp-inspect to print a new launch link in its terminal. */
function useNewLink(): {
  readonly asked: 'no' | 'asking' | 'printed';
  readonly problem: Failure | undefined;
  readonly ask: () => void;
} {
  const [asked, setAsked] = useState<'no' | 'asking' | 'printed'>('no');
  const [problem, setProblem] = useState<Failure>();
  const ask = async () => {
    setAsked('asking');
    setProblem(undefined);
    try {
      await requestNewLink();
      setAsked('printed');
    } catch (error) {
      setProblem(error as Failure);
      setAsked('no');
    }
  };
  return { asked, problem, ask: () => void ask() };
}

/** Shown when the page has no token: why it needs one, and how to get a link that works. */
export function NoLink({ failure }: { readonly failure?: Failure }) {
  const { asked, problem, ask } = useNewLink();
  return (
    <main className="mx-auto flex h-full max-w-[560px] flex-col justify-center gap-3 p-6">
      <h1 className="text-title font-medium">Open this page with the link from the terminal</h1>
      {failure && <ErrorNote failure={failure} />}
      <p>
        mcp-inspect can start programs on this machine, so it only accepts pages opened with its link. Each link works
        once, within a minute. After that you can reload this tab and open more tabs while mcp-inspect runs.
      </p>
      <div className="flex items-center gap-3">
        <Button variant="primary" onClick={ask} disabled={asked === 'asking'}>
          Print a new link in the terminal
        </Button>
        <span role="status">{asked === 'printed' && 'Printed. Open the link from the terminal.'}</span>
      </div>
      {problem && <ErrorNote failure={problem} />}
    </main>
  );
}

/** mcp-inspect was restarted, so this page's token is no longer valid. */
export function RefusedBanner() {
  const { asked, problem, ask } = useNewLink();
  return (
    <div role="alert" className="shrink-0 border-b border-line bg-error/8 px-3 py-1">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <p className="min-w-0 flex-1 basis-96">
          <span className="font-medium text-error">mcp-inspect was restarted.</span> This is the previous run,
          read-only. To continue, open the new link from the terminal.
        </p>
        <span>{asked === 'printed' && 'Printed. Open the link from the terminal.'}</span>
        <Button size="small" onClick={ask} disabled={asked === 'asking'}>
          Print a new link in the terminal
        </Button>
      </div>
      {problem && <ErrorNote failure={problem} />}
    </div>
  );
}
