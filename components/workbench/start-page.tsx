'use client';

import { Spinner } from '@/components/ui/spinner';
import { ClientProvider } from '@/lib/hooks/client-provider';
import { useLaunch } from '@/lib/hooks/use-launch';
import { NoLink } from './no-link';
import { Part } from './part';
import { Workbench } from './workbench';

/** The page from its first moment: finds its token, then is the workbench. */
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
      <Part name="The page">
        <Workbench />
      </Part>
    </ClientProvider>
  );
}
