import { Button } from '@/components/ui/button';
import { ErrorNote } from '@/components/ui/error-note';
import { useClient } from '@/lib/hooks/use-client';
import { useNewLink } from './use-new-link';

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
