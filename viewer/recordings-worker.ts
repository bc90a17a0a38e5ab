// The worker of a shared HTML file: it opens the recording.
import { InPageHub, type Port, PortLink } from '@/lib/direct/page-hub';
import { systemClock } from '@/lib/wire/clock';
import type { PageToWorker } from '@/lib/wire/worker-message';

/** Set by the bundler. */
declare const MCP_INSPECT_VERSION: string;

/** A dedicated worker's global scope, which TypeScript's DOM library lacks. */
interface Scope extends Port {
  onmessage: ((message: { readonly data: PageToWorker }) => void) | null;
}

const scope = globalThis as unknown as Scope;
const page = new PortLink(scope);
const hub = new InPageHub(page, { clock: systemClock, version: MCP_INSPECT_VERSION });

scope.onmessage = ({ data }) => {
  if (data.type === 'begin') hub.begin();
  else if (data.type === 'taken') page.batchTaken();
  else if (data.type === 'open') void hub.openFile(data.ref, data.name, data.file);
  else if (data.type === 'command') void hub.runCommand(hub.viewer, data.command);
};
