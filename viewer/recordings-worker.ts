// The worker of a file that is viewer and recording at once: it opens recordings, and nothing else.
import { PageHub } from '@/lib/direct/page-hub';
import { type Port, PortViewer } from '@/lib/direct/port-viewer';
import { systemClock } from '@/lib/wire/clock';
import type { ToWorker } from '@/lib/wire/worker-message';

/** Set by the bundler. */
declare const MCP_INSPECT_VERSION: string;

/** What is used of a dedicated worker's global scope, which TypeScript's DOM library does not have. */
interface Scope extends Port {
  onmessage: ((message: { readonly data: ToWorker }) => void) | null;
}

const scope = globalThis as unknown as Scope;
const page = new PortViewer(scope);
const hub = new PageHub(page, systemClock);

scope.onmessage = ({ data }) => {
  if (data.type === 'begin') hub.welcome(MCP_INSPECT_VERSION);
  else if (data.type === 'taken') page.taken();
  else if (data.type === 'open') void hub.openRecording(data.ref, data.name, data.file);
  else if (data.type === 'command') void hub.carryOut(data.command);
};
