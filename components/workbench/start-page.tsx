'use client';

import { Spinner } from '@/components/ui/notices';
import { ClientProvider } from '@/lib/hooks/client';
import { useLaunch } from '@/lib/hooks/launch';
import { NoLink } from './launch-link';
import { PartBoundary } from './part-boundary';
import { Workbench } from './workbench';

/** The page: gets its token from the launch link, then shows the workbench. */
export function StartPage() {
  const launch = useLaunch();
  if (launch.state === 'no-token') return <NoLink failure={launch.failure} />;
  if (launch.state === 'launching') {
    return (
      <main className="flex h-full items-center justify-center">
        <Spinner label="Opening mcp-inspect" />
      </main>
    );
  }
  return (
    <ClientProvider client={launch.client}>
      <PartBoundary name="The page">
        <Workbench />
      </PartBoundary>
    </ClientProvider>
  );
}
