import { existsSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { failureText } from '@/features/check/lib/minimise/session-failure';
import { playPlan, recordedClient } from '@/lib/replay/compare/recorded-client';
import { readProfile } from '@/lib/wire/client-profile';
import { countOf } from '@/lib/wire/format';
import { PROTOCOL_VERSIONS } from '@/lib/wire/lifecycle';
import { EXIT, type ExitCode, usageError } from '@/proxy/cli/exit-code';
import { type CommandContext, lastValue, readCountOption } from '@/proxy/cli/grammar';
import { requireServer } from '@/proxy/cli/server-options';
import { type endWith, findLaunch } from '@/proxy/commands/headless/on-server';
import { namedFile } from '@/proxy/commands/shared/file-access';
import { terminalJson } from '@/proxy/commands/shared/format-content';
import { readSecrets } from '../play-recording';
import { chooseFailure, openFailingSession } from './failing-session';
import { type KeptMessage, reportFiles, writeSessionReports } from './reports';
import { PROOFS, Search } from './search';
import { Trials } from './trial';

/** Most servers at a time. */
const MOST_JOBS = 64;

/**
 * Finds the fewest messages and the smallest arguments of a recorded session that still fail. `onSignals` gets what
 * ends the servers, and what Ctrl-C does first. Rejects with an ExitError or a Failure.
 */
export async function minimise(context: CommandContext, onSignals: typeof endWith): Promise<ExitCode> {
  const { request, version, home, printNote, printText, status } = context;
  const { given } = request;
  const [file, ...others] = request.words;
  if (file === undefined || others.length > 0)
    throw usageError('`--minimise` takes one recording: write `test RECORDING --minimise SERVER`.');
  const options = requireServer(request);
  const secrets = readSecrets(given.get('secret') ?? []);
  const jobs = readCountOption('jobs', lastValue(given, 'jobs') ?? '2', MOST_JOBS);
  const files = reportFiles(
    lastValue(given, 'out') ?? `${basename(file).replace(/\.(?:mcpr\.)?(?:jsonl|gz)$/, '')}.min`,
  );
  const taken = Object.values(files).find((path) => existsSync(resolve(path)));
  if (taken !== undefined)
    throw usageError(`\`${taken}\` already exists. Delete it, or give another name with \`--out NAME\`.`);
  const { traffic, failures, close } = await openFailingSession(await namedFile(file, context), context);
  const failure = chooseFailure(given, failures, traffic, printNote);
  const all = playPlan(traffic, secrets, true);
  const steps = all.filter(({ kind }) => kind !== 'skip');
  if (steps.length < all.length)
    printNote(
      `mcp-inspect: ${countOf(all.length - steps.length, 'request')} can’t be repeated, and ${all.length - steps.length === 1 ? 'is' : 'are'} left out.`,
    );
  const recorded = PROTOCOL_VERSIONS.find((one) => one === traffic.version);
  const { capabilities } = recordedClient(traffic, secrets);
  const profile = readProfile({ profile: { capabilities } });
  const launch = { ...(await findLaunch(options, home, recorded)), profile };
  const trials = new Trials({
    launch,
    failure,
    version,
    allowLinkLocal: options.allowLinkLocal,
    client: () => recordedClient(traffic, secrets),
  });
  const search = new Search(trials, jobs, (text) => status.show(text));
  onSignals(
    () => trials.close(),
    () => search.interrupt(),
  );
  try {
    printNote(`mcp-inspect: Looking for: ${failureText(failure)}.`);
    const found = await search.run(steps);
    const proven = await search.proofs(found, resolve(files.recording));
    status.end();
    const interrupted = search.isInterrupted;
    if (proven < PROOFS)
      printNote(`mcp-inspect: The result failed in ${proven} of ${PROOFS} starts, so it depends on chance or time.`);
    const kept = await writeSessionReports(files, context);
    const outcome = { failure: failureText(failure), left: found.length, of: steps.length, starts: trials.count };
    if (given.has('json')) printText(terminalJson({ ...outcome, interrupted, messages: kept.map(messageJson), files }));
    else printText([summary(outcome), ...messageLines(kept)].join('\n'));
    for (const path of Object.values(files)) printNote(`mcp-inspect: Wrote ${path}`);
    if (interrupted) printNote('mcp-inspect: Interrupted. These are the fewest messages so far.');
    return interrupted ? EXIT.interrupted : EXIT.fine;
  } finally {
    status.end();
    await trials.close();
    await close();
  }
}

interface Summary {
  readonly failure: string;
  readonly left: number;
  readonly of: number;
  readonly starts: number;
}

function summary({ left, of, starts }: Summary): string {
  const what =
    left === 0
      ? 'The handshake alone fails'
      : `${left} of ${countOf(of, 'message')} still ${left === 1 ? 'fails' : 'fail'}`;
  return `${what} (${countOf(starts, 'start')} of the server).`;
}

/** Longest arguments of a line, in characters. */
const LINE_CHARS = 300;

/** Most messages that are printed. */
const MOST_LINES = 30;

function messageLines(kept: readonly KeptMessage[]): readonly string[] {
  const more = kept.length - MOST_LINES;
  const lines = kept.slice(0, MOST_LINES).map(messageLine);
  return more > 0 ? [...lines, `… and ${countOf(more, 'more message')}`] : lines;
}

function messageLine({ method, params: text = '' }: KeptMessage, at: number): string {
  return `${at + 1}. ${method} ${text.length > LINE_CHARS ? `${text.slice(0, LINE_CHARS)}…` : text}`.trimEnd();
}

function messageJson({ kind, method, params }: KeptMessage): object {
  return { kind, method, ...(params !== undefined && { params: JSON.parse(params) as unknown }) };
}
