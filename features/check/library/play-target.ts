import { PINS_FILE } from '@/features/check/lib/pins/pins-file';
import { findTestFiles } from '@/features/check/proxy/test/find-files';
import { prepareFile } from '@/features/check/proxy/test/run-tests';
import type { FileTest } from '@/features/check/proxy/test/tested';
import { EXIT } from '@/proxy/cli/exit-code';
import { findLaunch, runOn, type ServerCommandOptions } from '@/proxy/commands/headless/on-server';
import type { Target } from '@/proxy/library/api';
import { clientOf } from '@/proxy/library/client-of';
import { requireOptions } from '@/proxy/library/known-options';
import { type OwnPackage, serverOptionsOf } from '@/proxy/library/launch-target';
import { givenOptions, NO_STATUS, type QuietRun, runQuietly } from '@/proxy/library/quiet-run';
import type { TestedFile, TestOptions, TestReport } from './check-types';
import { CHECK_OPTION_NAMES, refuseClient } from './option-names';

/** Plays files as the subcommand does, and rejects like it. */
export async function testTarget(target: Target, options: TestOptions, own: OwnPackage): Promise<TestReport> {
  requireOptions('test', CHECK_OPTION_NAMES, options);
  const { files = [], update = false, compare, ignore, secrets = {}, signal } = options;
  const words = typeof files === 'string' ? [files] : files;
  const secret = Object.entries(secrets).map(([digits, value]) => `${digits}=${value}`);
  // The calling code belongs to the project, so it may play the pins file of the project.
  const pins = words.length === 0 ? PINS_FILE : undefined;
  const given = givenOptions({ compare, ignore, secret, pins, update: update ? [] : undefined });
  const server: ServerCommandOptions = {
    options: serverOptionsOf(target, options),
    client: clientOf(options),
    json: true,
    isUnattended: true,
  };
  const found = await findTestFiles({ version: own.version, request: { words, given } });
  const recording = found.find(({ kind }) => kind === 'recording');
  if (recording) refuseClient(recording.shown, options);
  const play = async (test: FileTest, run: QuietRun): Promise<TestedFile> => {
    const { connect } = test.play;
    const asking = { ask: undefined, printNote: () => {} };
    const launch = await findLaunch(server.options, own.home, connect?.protocol, asking, true);
    const action = Object.assign((...words: Parameters<typeof test.play>) => test.play(...words), {
      connect: { ...connect, ...run.quiet },
    });
    const asked = test.record === undefined ? server : { ...server, record: test.record };
    await runOn(launch, action, asked, own.version, run.onClose);
    await test.finish?.();
    run.requireFine();
    const { file, code, json } = test.tested()!;
    return { ...json, file, passed: code === EXIT.fine } as TestedFile;
  };
  return runQuietly(signal, async (run) => {
    const tested: TestedFile[] = [];
    for (const one of found) tested.push(await play(await prepareFile(one, given, NO_STATUS), run));
    return { passed: tested.every(({ passed }) => passed), files: tested };
  });
}
