// The page of a file that is viewer and recording at once: it shows the recording that stands beside it, and asks nobody for anything.
import { useEffect, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { ErrorNote } from '@/components/ui/error-note';
import { Spinner } from '@/components/ui/spinner';
import { Part } from '@/components/workbench/part';
import type { HeldRecording } from '@/components/workbench/save-recording';
import { Workbench } from '@/components/workbench/workbench';
import { Client } from '@/lib/client/client';
import { DirectLink, type WorkerLike } from '@/lib/client/direct-link';
import { paint } from '@/lib/client/paint';
import { ClientProvider } from '@/lib/hooks/client-provider';
import { withNotes } from '@/lib/recording/with-notes';
import { type Failure, isFailure } from '@/lib/wire/lifecycle';
import { heldRecording } from './held-recording';
import { isWorkerAddress, WORKER_TYPE, workerAddress } from './worker-address';

/** There is no policy for HTML, so every string that would become HTML throws. */
const POLICY = { createScriptURL: (address: string) => (isWorkerAddress(address) ? address : null) };
(globalThis as { trustedTypes?: { createPolicy(name: string, policy: object): void } }).trustedTypes?.createPolicy(
  'default',
  POLICY,
);

const client = new Client({
  direct: new DirectLink({
    spawn: () => new Worker(workerAddress('recordings'), { type: WORKER_TYPE }) as WorkerLike,
    tabKey: () => undefined,
    mayHaveKept: () => false,
    settled: new Set(),
  }),
  paint,
  inFile: true,
});

function ViewerPage() {
  const [state, setState] = useState<'opening' | HeldRecording | Failure>('opening');
  useEffect(() => {
    open().then(
      (held) => setState(held),
      (error) => setState(isFailure(error) ? error : DAMAGED),
    );
  }, []);
  if (state === 'opening') {
    return (
      <main className="flex h-full items-center justify-center">
        <Spinner label="Opening the recording" />
      </main>
    );
  }
  if ('code' in state) return <ErrorNote failure={state} />;
  return (
    <ClientProvider client={client}>
      <Part name="The page">
        <Workbench held={state} />
      </Part>
    </ClientProvider>
  );
}

async function open(): Promise<HeldRecording> {
  const file = heldRecording(document);
  await client.openRecording(file);
  const plain = () => file.stream().pipeThrough(new DecompressionStream('gzip'));
  return { name: file.name, saved: (notes) => withNotes(plain(), notes) };
}

const DAMAGED: Failure = {
  code: 'file-damaged',
  message: 'The recording in this file is damaged.',
  advice: 'Ask for the file again.',
};

createRoot(document.getElementById('page')!).render(<ViewerPage />);
