import { randomUUID } from 'node:crypto';
import { conformanceNote, conformanceSteps } from '@/features/check/lib/conformance';
import type { Listed } from '@/features/check/lib/listed';
import type { CheckedSource, CheckFinding, CheckStep } from '@/features/check/lib/report';
import type { Negotiated } from '@/lib/mcp/handshake';
import { systemClock } from '@/lib/wire/clock';
import type { Status } from '@/proxy/cli/status-line';
import type { Launch } from '@/proxy/connection/launch';
import { Reaper } from '@/proxy/process/reaper';
import { serveBackend } from '@/proxy/replay/http-server';
import type { ConformanceSuite } from './find-suite';
import { LiveBackend } from './live-backend';
import { runSuite } from './run-suite';

/** Versions that the suite has a frozen set of scenarios for. */
const WITH_REQUIREMENTS: readonly string[] = ['2025-11-25', '2026-07-28'];

/** A checked server, as the suite needs it. */
export interface ConformanceTarget {
  readonly launch: Launch;
  readonly name: string;
  readonly negotiated: Negotiated;
  readonly listed: Listed;
  /** True if the server was found to speak only HTTP+SSE. */
  readonly isSse: boolean;
  /** Gets what ends the suite before its end. */
  onStart(stop: () => Promise<void>): void;
}

/** Runs the official suite against a server. Its verdicts are a source of their own. Never rejects for what it does. */
export async function checkConformance(
  suite: ConformanceSuite,
  { launch, name, negotiated, listed, isSse, onStart }: ConformanceTarget,
  status: Status,
): Promise<CheckedSource> {
  const { version, era, capabilities } = negotiated;
  const source = (steps: readonly CheckStep[]): CheckedSource => ({
    name: `${name}: official suite`,
    facts: { era, version },
    steps,
    notes: [],
  });
  const skipped = whyNot(launch, isSse);
  if (skipped !== undefined) return source([{ name: 'conformance', ms: 0, findings: [], skipped }]);
  status.show(`${name}: official conformance suite… Ctrl-C cancels`);
  const reaper = new Reaper();
  const backend =
    launch.transport === 'stdio' ? new LiveBackend(launch, negotiated, { clock: systemClock, reaper }) : undefined;
  // A random path keeps out web pages and scans. Other accounts of this machine can read it in the list of processes.
  const front =
    backend && (await serveBackend(backend, { printNote: () => {}, port: 0, path: `/${randomUUID()}/mcp` }));
  const close = async (): Promise<void> => {
    await front?.close();
    await backend?.close();
  };
  try {
    const url = front?.url ?? (launch as Exclude<Launch, { transport: 'stdio' }>).url;
    const chosen = WITH_REQUIREMENTS.includes(version)
      ? ['--requirements', version]
      : ['--suite', 'active', '--spec-version', version];
    const run = await runSuite(suite, url, chosen, {
      reaper,
      onStart: (stop) =>
        onStart(async () => {
          stop();
          await close();
        }),
    });
    const target = { capabilities, listed, isFront: front !== undefined };
    const failed: CheckStep[] = run.wrong === undefined ? [] : [failedStep(run.wrong)];
    const steps = conformanceSteps(run.scenarios, target);
    return { ...source([...steps, ...failed]), notes: [conformanceNote(steps)] };
  } finally {
    await close();
    status.end();
  }
}

/** Returns why the suite can’t reach a server; undefined if it can. */
function whyNot(launch: Launch, isSse: boolean): string | undefined {
  if (launch.transport === 'stdio') return undefined;
  if (isSse) return 'The suite does not speak HTTP+SSE.';
  if (Object.keys(launch.headers).length > 0 || launch.tls) return 'The suite can’t send headers or certificates.';
  return undefined;
}

function failedStep(message: string): CheckStep {
  const finding: CheckFinding = {
    rule: 'conformance-failed',
    severity: 'error',
    title: 'Conformance suite that did not end',
    message,
    path: undefined,
    frames: [],
    advice: 'Run @modelcontextprotocol/conformance by itself to see why.',
    spec: undefined,
  };
  return { name: 'conformance', ms: 0, findings: [finding] };
}
