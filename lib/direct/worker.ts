// Entry of the worker that talks to servers for a page. It has its own policy (connect-src), so it is a file of its
// own.
import { SseTransport } from '@/lib/transports/sse';
import { StreamableHttp } from '@/lib/transports/streamable-http';
import { systemClock } from '@/lib/wire/clock';
import type { PageToWorker, TabKey } from '@/lib/wire/worker-message';
import { IndexedRecordings, LogDatabase, SealedBox } from './browser-databases';
import { BrowserRecordings } from './browser-recordings';
import { diagnoseCors } from './cors';
import { DirectHub } from './direct-hub';
import { FetchLink } from './fetch-link';
import { LogKeeper } from './log-keeper';
import { LogRecorder } from './log-recorder';
import { type OnOpening, type Port, PortLink } from './page-hub';
import { openRemoteFile } from './remote-file';

/** How long a reloaded page waits for its previous worker to release its log, in ms. */
const DIRECT_HANDOVER_MS = 2000;

/** Defined by the bundler. */
declare const MCP_INSPECT_VERSION: string;

/** The part of a dedicated worker's global scope used here; TypeScript's DOM library does not have it. */
interface Scope extends Port {
  onmessage: ((message: { readonly data: PageToWorker }) => void) | null;
}

const scope = globalThis as unknown as Scope;
const page = new PortLink(scope);
const recorder = new LogRecorder(scope, systemClock);
const recordings = new BrowserRecordings({
  version: MCP_INSPECT_VERSION,
  openDatabase: () => IndexedRecordings.open(),
  now: () => Date.now(),
  random: (bytes) =>
    Array.from(crypto.getRandomValues(new Uint8Array(bytes)), (byte) => byte.toString(16).padStart(2, '0')).join(''),
  holdWriteLock: holdRecording,
  writeLocks: heldRecordings,
});
let starting: Promise<DirectHub> | undefined;

scope.onmessage = ({ data }) => {
  if (data.type === 'begin') starting ??= begin(data.tab);
  else if (data.type === 'taken') page.batchTaken();
  else if (data.type === 'recorded') recorder.batchRecorded();
  else void starting?.then((hub) => handle(hub, data));
};

function handle(hub: DirectHub, message: Exclude<PageToWorker, { type: 'begin' | 'taken' | 'recorded' }>): unknown {
  switch (message.type) {
    case 'command':
      return hub.runCommand(hub.viewer, message.command);
    case 'open':
      return hub.openFile(message.ref, message.name, message.file, progressOf(message.ref));
    case 'open-url':
      return hub.openUrl(message.ref, message.url, progressOf(message.ref));
    case 'cancel-open':
      return hub.cancelOpening(message.ref);
    case 'read-log':
      return hub.readLog(message.ref, message.connection, message.frames);
    case 'record':
      return hub.record(message.connection, message.recorded, message.turn);
    case 'record-stop':
      return hub.stopRecording(message);
    case 'keep':
      return hub.addToRecording(message.batch);
    case 'kept':
      return hub.handleRecordingRequest(message.ref, message);
  }
}

function progressOf(ref: string): OnOpening {
  return (progress) => scope.postMessage({ type: 'opening', ref, progress }, []);
}

async function begin(tab: TabKey | undefined): Promise<DirectHub> {
  const keeper = tab && (await openKeeper(tab, (id) => hub.logNotKept(id)).catch(() => undefined));
  const kept = (await keeper?.restore().catch(() => [])) ?? [];
  const hub = new DirectHub({
    clock: systemClock,
    version: MCP_INSPECT_VERSION,
    page,
    ...(keeper && { keeper }),
    recorder,
    kept: recordings,
    reply: (ref, given) => scope.postMessage({ type: 'given', ref, given }, []),
    openRemote: (url, signal, onProgress) =>
      openRemoteFile(url, { fetch: bareFetch, origin: location.origin, signal, onProgress }),
    openTransport: ({ transport, url, headers }, sink) => {
      const config = { url, headers, sink, clock: systemClock, link: newLink() };
      return transport === 'sse' ? new SseTransport(config) : new StreamableHttp(config);
    },
  });
  scope.postMessage({ type: 'keeping', keeps: keeper !== undefined }, []);
  hub.begin(kept);
  return hub;
}

function newLink(): FetchLink {
  const plain = (url: string, init: RequestInit): Promise<Response> => fetch(url, init);
  return new FetchLink(plain, (request) =>
    diagnoseCors(request, {
      fetch: bareFetch,
      clock: systemClock,
      origin: location.origin,
      isLocalDenied,
    }),
  );
}

/** Sends nothing that the page or the browser knows. */
function bareFetch(url: string, init: RequestInit): Promise<Response> {
  return fetch(url, { ...init, cache: 'no-store', credentials: 'omit', referrerPolicy: 'no-referrer' });
}

/** Browsers have used several names for this permission and throw on names they don't know. */
async function isLocalDenied(): Promise<boolean> {
  const names = ['local-network-access', 'local-network', 'loopback-network'];
  const states = names.map((name) =>
    navigator.permissions.query({ name: name as PermissionName }).then(
      ({ state }) => state === 'denied',
      () => false,
    ),
  );
  return (await Promise.all(states)).includes(true);
}

/**
 * Rejects if nothing can be kept: there is no database, no WebCrypto, or another tab with the same name. A duplicated
 * tab has the same name.
 */
async function openKeeper({ tab, key }: TabKey, onFull: (connection: string) => void): Promise<LogKeeper> {
  const [store, box] = await Promise.all([LogDatabase.open(Date.now()), SealedBox.open(key)]);
  await holdLock(`mcp-inspect.direct.${tab}`);
  return new LogKeeper(tab, store, box, onFull);
}

/** Resolves once this worker has the lock, which it then holds for its lifetime. */
function holdLock(name: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const late = AbortSignal.timeout(DIRECT_HANDOVER_MS);
    const held = navigator.locks.request(name, { signal: late }, () => {
      resolve();
      return new Promise(() => {});
    });
    held.catch(reject);
  });
}

const RECORDING_LOCK = 'mcp-inspect.recording.';

/** Locks end with their tab. Without locks, tabs don't know of each other's recordings. */
function holdRecording(id: string): () => void {
  let letGo = (): void => {};
  const held = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  void navigator.locks?.request(RECORDING_LOCK + id, () => held).catch(() => {});
  return letGo;
}

async function heldRecordings(): Promise<ReadonlySet<string>> {
  const names = ((await navigator.locks?.query())?.held ?? []).map(({ name = '' }) => name);
  const ours = names.filter((name) => name.startsWith(RECORDING_LOCK));
  return new Set(ours.map((name) => name.slice(RECORDING_LOCK.length)));
}
