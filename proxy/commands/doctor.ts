import { httpProxyOf } from '@/lib/doctor/attempt-facts';
import { type Diagnosis, diagnose, diagnosisText } from '@/lib/doctor/diagnose';
import { Log } from '@/lib/store/log';
import type { NearbyAddresses } from '@/lib/wire/command';
import { EXIT } from '@/proxy/cli/exit-code';
import type { Output } from '@/proxy/cli/output';
import { type Action, type ConnectedServer, onServer } from './headless/on-server';

/** Reports the protocol of a connection and the server’s non-MCP output, or step by step why the connection failed. */
export const run = onServer(async () => {
  const log = new Log('doctor');
  return Object.assign((server: ConnectedServer) => reportConnected(server, log), {
    connect: {
      // A diagnosis needs every step, so the era is probed even if it is remembered.
      forgetsEra: true,
      onFrame: (frame) => log.append([frame]),
      explain: (out, look) => printDiagnosis(log, out, look),
    },
  } satisfies Pick<Action, 'connect'>);
});

async function reportConnected({ negotiated, out, stray }: ConnectedServer, log: Log) {
  // There always was a handshake, because `doctor` has no `--no-handshake`.
  const { version, era, serverInfo } = negotiated!;
  const lines = stray.takeLines();
  const findings = lines ? [{ code: 'not-mcp', ...lines }] : [];
  const httpProxy = httpProxyOf(log);
  if (out.json) {
    const facts = { ...(serverInfo && { serverInfo }), ...(httpProxy && { httpProxy }), findings };
    out.printExact(JSON.stringify({ code: 'connected', version, era, ...facts }));
  } else {
    out.printText(`Connected: protocol ${version}, ${era} era.`);
    if (httpProxy) out.printText(`Through the HTTP proxy ${httpProxy.url}, from ${httpProxy.variable}.`);
  }
  for (const { message } of findings) out.printNote('mcp-inspect', message);
  return EXIT.fine;
}

/** Prints why the connection to a URL failed. Returns false for a command, and for a connection that did not fail. */
async function printDiagnosis(
  log: Log,
  out: Output,
  look: (where: NearbyAddresses) => Promise<void>,
): Promise<boolean> {
  const first = diagnose(log);
  const where = first?.actions.find((action) => action.kind === 'look-further')?.where;
  if (where) await look(where);
  const diagnosis = diagnose(log);
  if (!diagnosis) return false;
  const { start } = log.state.connection;
  const url = start && start.transport !== 'stdio' ? start.url : '';
  if (out.json) out.printExact(JSON.stringify(withoutFrames(diagnosis)));
  else out.printText(diagnosisText(withoutFrames(diagnosis), url));
  return true;
}

/** Leaves out frame numbers, which mean nothing without a log. */
function withoutFrames({ seq: _, ...diagnosis }: Diagnosis): Omit<Diagnosis, 'seq'> {
  const steps = diagnosis.steps.map((step) => ({ ...step, evidence: step.evidence.map(({ text }) => ({ text })) }));
  return { ...diagnosis, steps };
}
