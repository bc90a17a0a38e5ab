'use client';

import { Suspense } from 'react';
import { lazyWhenIdle } from '@/components/ui/lazy-when-idle';
import { Spinner } from '@/components/ui/notices';
import { ClientProvider } from '@/lib/hooks/client';
import { useLaunch } from '@/lib/hooks/launch';
import { PartBoundary } from './part-boundary';
import { Workbench } from './workbench';

const NoLink = lazyWhenIdle(() => import('./launch-link').then((file) => file.NoLink));

/** The page: gets its token from the launch link, then shows the workbench. */
export function StartPage() {
  const launch = useLaunch();
  if (launch.state === 'no-token') {
    return (
      <Suspense fallback={<Launching />}>
        <NoLink failure={launch.failure} />
      </Suspense>
    );
  }
  if (launch.state === 'launching') return <Launching />;
  return (
    <ClientProvider client={launch.client}>
      <PartBoundary name="The page">
        <Workbench />
      </PartBoundary>
    </ClientProvider>
  );
}

function Launching() {
  return (
    <main className="flex h-full items-center justify-center">
      <Spinner label="Opening mcp-inspect" />
    </main>
  );
}
