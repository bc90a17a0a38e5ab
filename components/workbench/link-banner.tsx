import { useClient } from '@/lib/hooks/use-client';

/** Across the top while the link to the proxy is lost: what that means for what is shown. */
export function LinkBanner() {
  const { status } = useClient();
  if (status !== 'lost') return null;
  return (
    <div role="alert" className="shrink-0 border-b border-line bg-error/8 px-3 py-1">
      <span className="font-medium text-error">mcp-inspect does not answer; trying again.</span> What is shown is as of
      before. Check that it still runs in its terminal.
    </div>
  );
}
