import type { Pin } from '@/features/check/lib/pins/pins-file';
import { pinSecrets } from '@/features/check/lib/pins/play-pins';
import { CaptureRedactor } from '@/lib/redact/capture-redactor';
import { recordedClient } from '@/lib/replay/compare/recorded-client';
import type { CompareOptions } from '@/lib/replay/compare/value-diff';
import type { OpenedTraffic } from '@/lib/replay/traffic/open-traffic';
import { PROTOCOL_VERSIONS, type ProtocolChoice } from '@/lib/wire/lifecycle';
import type { ExitCode } from '@/proxy/cli/exit-code';
import type { Status } from '@/proxy/cli/status-line';
import type { ServerClient } from '@/proxy/commands/headless/server-connection';
import { compareWithStatus } from '@/proxy/commands/shared/compare-report';
import type { LocalFile } from '@/proxy/commands/shared/recording-files';
import { readTrafficFile } from '@/proxy/recorder/read-traffic';
import { connectSide, type PreparedSide, type SideSettings } from './connect-side';
import { diffOf } from './diff-recordings';
import type { Diff } from './end-diff';
import type { DiffGates } from './gates';
import { liveDiff } from './live-report';
import { playSides, trafficOf } from './play-sides';

/** How sides are compared. */
interface ComparePlan extends Pick<SideSettings, 'version' | 'client' | 'quiet' | 'onClose'> {
  readonly how: CompareOptions;
  readonly gates: DiffGates;
  readonly status: Status;
}

/** Gets what was found, while the servers still run. Returns the exit code. */
type EndDiff = (diff: Diff) => Promise<ExitCode>;

/** Compares two servers: their lists, and their answers to calls. Rejects with an ExitError or a Failure. */
export function compareServers(
  one: PreparedSide,
  other: PreparedSide,
  { pins, how, gates, status, ...rest }: ComparePlan & { readonly pins: readonly Pin[] },
  end: EndDiff,
): Promise<ExitCode> {
  const environment = (name: string): string | undefined => process.env[name];
  const secrets = pinSecrets(pins, environment);
  const redactor = new CaptureRedactor(secrets);
  const settings = { ...rest, redactor, secrets };
  return connectSide(one, settings, (connected) =>
    connectSide(other, settings, async (beside) => {
      const plan = { pins, how, environment, redactor, status };
      const result = await playSides([one.side, connected], [other.side, beside], plan);
      return end(liveDiff(`${one.side.title} → ${other.side.title}`, result, gates));
    }),
  );
}

/** Returns the client of a recording, and the version that it spoke, and closes it. */
export async function recordedSide(
  opened: OpenedTraffic,
): Promise<{ readonly client: ServerClient; readonly protocol: ProtocolChoice | undefined }> {
  const { era, version } = opened.traffic;
  const client = recordedClient(opened.traffic, new Map());
  // A server that does not speak the modern era any more is found by probing.
  const protocol = era === 'legacy' ? PROTOCOL_VERSIONS.find((known) => known === version) : undefined;
  await opened.close();
  return { client, protocol };
}

/** Compares the lists of a recording with those of a server. Rejects with an ExitError or a Failure. */
export function compareWithRecording(
  { path, shown: file }: LocalFile,
  live: PreparedSide,
  { how, gates, status, ...rest }: ComparePlan,
  end: EndDiff,
): Promise<ExitCode> {
  const redactor = new CaptureRedactor([]);
  return connectSide(live, { ...rest, redactor, secrets: [] }, async (connected) => {
    status.show('Reading the lists of the server… Ctrl-C cancels');
    const frames = await live.side.readLists(connected);
    for (const frame of frames) redactor.apply(frame);
    // One redactor for both, so that equal values stay equal.
    const masking = redactor.fork();
    const before = await readTrafficFile(path, { through: (frame) => masking.apply(frame) });
    const after = trafficOf(frames, redactor.fork());
    const comparison = await compareWithStatus(before.traffic, after, how, status, []);
    const sides = [file, 'the server', `${file} or the server`] as const;
    const code = await end(diffOf(`${file} → ${live.side.title}`, comparison, sides, gates));
    await before.close();
    return code;
  });
}
