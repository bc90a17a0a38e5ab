import { compareServers, compareWithRecording, recordedSide } from '@/features/check/proxy/diff/compare-sides';
import type { PreparedSide } from '@/features/check/proxy/diff/connect-side';
import { diffOf, openRecording } from '@/features/check/proxy/diff/diff-recordings';
import { type Diff, diffJson } from '@/features/check/proxy/diff/end-diff';
import { readGates } from '@/features/check/proxy/diff/gates';
import { PlayedSide } from '@/features/check/proxy/diff/play-sides';
import { readPinsFile } from '@/features/check/proxy/test/pins-file';
import type { ProtocolChoice } from '@/lib/wire/lifecycle';
import { EXIT, usageError } from '@/proxy/cli/exit-code';
import { findLaunch } from '@/proxy/commands/headless/on-server';
import { compareWithStatus, readCompareOptions } from '@/proxy/commands/shared/compare-report';
import { namedFile } from '@/proxy/commands/shared/file-access';
import type { Target } from '@/proxy/library/api';
import { clientOf } from '@/proxy/library/client-of';
import { requireOptions, requireTarget } from '@/proxy/library/known-options';
import { type OwnPackage, serverOptionsOf } from '@/proxy/library/launch-target';
import { givenOptions, NO_STATUS, runQuietly } from '@/proxy/library/quiet-run';
import type { DiffOptions, DiffReport } from './check-types';
import { CHECK_OPTION_NAMES, refuseClient } from './option-names';

const HOST = { status: NO_STATUS, printNote: () => {} };

/** Compares as the subcommand does, and rejects like it. A text is a recording. */
export async function diffSides(
  one: string | Target,
  other: string | Target,
  options: DiffOptions,
  own: OwnPackage,
): Promise<DiffReport> {
  requireOptions('diff', CHECK_OPTION_NAMES, options);
  const { compare, ignore, failOn, pins, signal } = options;
  const given = givenOptions({ compare, ignore, 'fail-on': failOn });
  const [how, gates] = [readCompareOptions(given), readGates(given)];
  for (const side of [one, other]) if (typeof side !== 'string') requireTarget(side);
  const isTwo = typeof one !== 'string' && typeof other !== 'string';
  if (pins !== undefined && !isTwo) throw usageError('`pins` are played on two servers: remove it.');
  const { protocol: _, ...ofClient } = options;
  if (typeof one === 'string' && typeof other !== 'string') refuseClient(one, ofClient);
  const report = (diff: Diff): DiffReport => diffJson(diff, gates) as unknown as DiffReport;
  const local = (file: string) => namedFile(file, { version: own.version, request: { given } });
  const opened = async (file: string) => openRecording(await local(file), HOST);
  if (typeof one === 'string' && typeof other === 'string') {
    const [before, after] = [await opened(one), await opened(other)];
    const comparison = await compareWithStatus(before.traffic, after.traffic, how, NO_STATUS);
    await Promise.all([before.close(), after.close()]);
    return report(diffOf(`${one} → ${other}`, comparison, [one, other, `${one} or ${other}`], gates));
  }
  if (typeof other === 'string') throw usageError('A server is compared with a recording: name the recording first.');
  const prepare = async (name: string, target: Target, recorded?: ProtocolChoice) => {
    const serverOptions = serverOptionsOf(target, options);
    const asking = { ask: undefined, printNote: () => {} };
    const launch = await findLaunch(serverOptions, own.home, recorded, asking, true);
    const { title, protocol } = launch;
    const side = new PlayedSide({ name, title, protocol });
    const client = typeof one === 'string' ? undefined : clientOf(options);
    return { side, launch, server: { options: serverOptions, client, json: true, isUnattended: true } } as PreparedSide;
  };
  return runQuietly(signal, async ({ quiet, onClose, requireFine }) => {
    let found: Diff | undefined;
    const plan = { how, gates, status: NO_STATUS, version: own.version, quiet, onClose };
    const end = async (diff: Diff) => {
      found = diff;
      return EXIT.fine;
    };
    if (typeof one === 'string') {
      const { client, protocol } = await recordedSide(await opened(one));
      await compareWithRecording(
        await local(one),
        await prepare('the server', other, protocol),
        { ...plan, client },
        end,
      );
    } else {
      const calls = pins === undefined ? [] : (await readPinsFile(await local(pins))).pins;
      const sides = [await prepare('A', one), await prepare('B', other)] as const;
      await compareServers(...sides, { ...plan, pins: calls }, end);
    }
    requireFine();
    return report(found!);
  });
}
