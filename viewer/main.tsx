import { useEffect, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { ErrorNote, Spinner } from '@/components/ui/notices';
import { PartBoundary } from '@/components/workbench/part-boundary';
import type { HeldRecording } from '@/components/workbench/recording-banner';
import { Workbench } from '@/components/workbench/workbench';
import { Client } from '@/lib/client/client';
import { DirectLink, type LinkWorker } from '@/lib/client/direct-link';
import { schedulePaint } from '@/lib/client/log-feed';
import { ClientProvider } from '@/lib/hooks/client';
import { navigate } from '@/lib/hooks/location';
import { fromBase64 } from '@/lib/recording/base64';
import { appendNotes } from '@/lib/recording/recording-tail';
import { type Failure, isFailure } from '@/lib/wire/lifecycle';
import { OpeningFrame } from './opening-frame';
import { isWorkerAddress, WORKER_TYPE, workerAddress } from './worker-address';

// The page of a shared HTML file: it shows the recording inside the file and makes no requests.

/** Allows our workers' URLs. It has no rule for HTML, so assigning a string as HTML throws. */
const POLICY = { createScriptURL: (address: string) => (isWorkerAddress(address) ? address : null) };
(globalThis as { trustedTypes?: { createPolicy(name: string, policy: object): void } }).trustedTypes?.createPolicy(
  'default',
  POLICY,
);

const client = new Client({
  direct: new DirectLink({
    spawn: () => new Worker(workerAddress('recordings'), { type: WORKER_TYPE }) as LinkWorker,
    tabKey: () => undefined,
    mayHaveKept: () => false,
    decided: new Set(),
  }),
  paint: schedulePaint,
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
      <PartBoundary name="The page">
        <Workbench held={state} />
        <OpeningFrame />
      </PartBoundary>
    </ClientProvider>
  );
}

async function open(): Promise<HeldRecording> {
  openPanel(document);
  const file = heldRecording(document);
  await client.openRecording(file);
  const plain = () => file.stream().pipeThrough(new DecompressionStream('gzip'));
  return { name: file.name, saved: (notes) => appendNotes(plain(), notes) };
}

const DAMAGED: Failure = {
  code: 'file-damaged',
  message: 'The recording in this file is damaged.',
  advice: 'Ask its sender for a new copy.',
};

/** Id of the inert script element with the recording, gzipped and in base64. Its `data-name` is the file name. */
const ELEMENT = 'recording';

/** Opens the panel that the maker of this page chose, unless the address names a place. */
function openPanel(page: Document): void {
  const { panel } = page.getElementById(ELEMENT)?.dataset ?? {};
  if (panel !== undefined && window.location.search === '') navigate({ panel }, { replace: true });
}

/** Returns the recording in this page. Throws if there is none. */
function heldRecording(page: Document): File {
  const element = page.getElementById(ELEMENT);
  const bytes = fromBase64((element?.textContent ?? '').trim());
  const name = element?.dataset.name ?? 'recording.mcpr.gz';
  // Frees the memory of the text, which may be megabytes.
  element?.remove();
  return new File([bytes as Uint8Array<ArrayBuffer>], name);
}

createRoot(document.getElementById('page')!).render(<ViewerPage />);
