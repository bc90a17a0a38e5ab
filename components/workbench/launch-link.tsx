import { useState } from 'react';
import { Button } from '@/components/ui/button';
import { ErrorNote } from '@/components/ui/notices';
import { useClient } from '@/lib/hooks/client';
import { requestNewLink } from '@/lib/hooks/launch';
import type { Failure } from '@/lib/wire/lifecycle';

/** Has the terminal print a new launch link, and tells how far that is. */
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

/** Across the top while there is no link to the proxy: what that means for what is shown, and what to do. */
export function LinkBanner() {
  const { status } = useClient();
  if (status === 'refused') return <RefusedBanner />;
  if (status !== 'lost') return null;
  return (
    <div role="alert" className="shrink-0 border-b border-line bg-error/8 px-3 py-1">
      <span className="font-medium text-error">mcp-inspect does not answer; trying again.</span> What is shown is as of
      before. Check that it still runs in its terminal.
    </div>
  );
}

/** The proxy is another one than this page was opened by. */
function RefusedBanner() {
  const { asked, problem, ask } = useNewLink();
  return (
    <div role="alert" className="shrink-0 border-b border-line bg-error/8 px-3 py-1">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <p className="min-w-0 flex-1 basis-96">
          <span className="font-medium text-error">mcp-inspect was started anew.</span> What is shown is of the run
          before and can only be read. This page needs a link from the terminal to go on.
        </p>
        <span>{asked === 'printed' && 'Printed. Open it from the terminal.'}</span>
        <Button size="small" onClick={ask} disabled={asked === 'asking'}>
          Print a new link in the terminal
        </Button>
      </div>
      {problem && <ErrorNote failure={problem} />}
    </div>
  );
}
