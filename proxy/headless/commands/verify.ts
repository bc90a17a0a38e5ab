import { resolve } from 'node:path';
import { comparedNothing, compareSessions, isEqual } from '@/lib/compare/compare-sessions';
import type { CallPair } from '@/lib/compare/pair-calls';
import { playPlan } from '@/lib/compare/play-plan';
import { recordedClient } from '@/lib/compare/recorded-client';
import { CaptureRedactor } from '@/lib/redact/capture-redactor';
import type { RecordedSession } from '@/lib/session/recorded-session';
import { SessionReader } from '@/lib/session/session-reader';
import type { Frame } from '@/lib/wire/frame';
import { atOnce } from '@/lib/wire/in-slices';
import { PROTOCOL_VERSIONS } from '@/lib/wire/lifecycle';
import { EXIT, type ExitCode, usage } from '../../cli/exit-code';
import { comparisonJson } from '../../comparing/comparison-json';
import { readComparing } from '../../comparing/read-comparing';
import { reportLines, type Sides } from '../../comparing/report';
import { writeJunit } from '../../comparing/write-junit';
import { damageNotes } from '../../recorder/damage-notes';
import { openFailure } from '../../recorder/open-failure';
import { readSession } from '../../recorder/read-session';
import { playSteps } from '../play-steps';
import type { Action, Run, Subcommand } from '../subcommand';

/** What the recording does not list is not asked for either. */
const SIDES: Sides = ['the recording', 'the server', 'the recording'];
const NOTHING_COMPARED =
  'Nothing could be compared: record the session with the page, which reads all lists, or give what was taken out of it with `--secret DIGITS=VALUE`.';

/** Does to a server what a recorded client did, and compares what comes of it. */
export const verify: Subcommand = async ({ words: [file], own, json }) => {
  const how = readComparing(own);
  const secrets = readSecrets(own.get('secret') ?? []);
  const opened = await readSession(resolve(file!)).catch((error) => {
    throw usage(`\`${file}\` can’t be opened. ${openFailure(error, 'after `verify`')}`);
  });
  const { session: recorded, header } = opened;
  const steps = playPlan(recorded, secrets);
  const reader = new SessionReader();
  const redactor = new CaptureRedactor([...secrets.values()].map((value) => JSON.parse(`"${value}"`) as string));
  const live: Frame[] = [];
  const run = async ({ session, out }: Run): Promise<ExitCode> => {
    for (const sentence of damageNotes(opened)) out.note('mcp-inspect', sentence);
    const played = await playSteps(steps, recorded, session, reader);
    const shown = await withoutSecrets(resolve(file!), live, redactor);
    const comparison = atOnce(compareSessions(shown.before, shown.after, how, pairsIn(shown, played.pairs)));
    if (json) out.exact(comparisonJson(comparison));
    else out.print(reportLines(comparison, SIDES));
    await writeJunit(own, comparison, SIDES, header.name);
    if (played.gone) out.note('mcp-inspect', `${played.gone.message} ${played.gone.advice}`);
    if (played.gone) return EXIT.noConnection;
    if (comparedNothing(comparison)) out.note('mcp-inspect', NOTHING_COMPARED);
    return isEqual(comparison) ? EXIT.fine : EXIT.serverError;
  };
  const protocol = PROTOCOL_VERSIONS.find((version) => version === recorded.version);
  return Object.assign(run, {
    connect: {
      client: recordedClient(recorded, secrets),
      heard: (frame) => {
        reader.push(frame);
        live.push(frame);
      },
      redactor,
      ...(protocol !== undefined && { protocol }),
    },
  } satisfies Pick<Action, 'connect'>);
};

/** What is shown of both sides. */
interface Shown {
  readonly before: RecordedSession;
  readonly after: RecordedSession;
}

/**
 * Both sides as a recorder would write them: a report is read by others. They go through the same redactor, so that what was equal is, and
 * the live one twice: what is given away late was said before, perhaps.
 */
async function withoutSecrets(file: string, live: readonly Frame[], redactor: CaptureRedactor): Promise<Shown> {
  const { session } = await readSession(file, (frame) => redactor.apply(frame));
  for (const frame of live) redactor.apply(frame);
  const [again, reader] = [redactor.again(), new SessionReader()];
  for (const frame of live) reader.push(again.apply(frame));
  return { before: session, after: reader.end() };
}

/** The same pairs of calls, as they are shown. */
function pairsIn({ before, after }: Shown, pairs: readonly CallPair[]): readonly CallPair[] {
  const [was, is] = [before, after].map(
    ({ sent }) =>
      new Map(sent.flatMap((message) => (message.kind === 'call' ? [[message.seq, message] as const] : []))),
  );
  return pairs.flatMap((pair) => {
    const [first, second] = [pair.before && was!.get(pair.before.seq), pair.after && is!.get(pair.after.seq)];
    return first || second ? [{ ...pair, before: first, after: second }] : [];
  });
}

/** As they stand within JSON strings, by the digits of their placeholders. */
function readSecrets(words: readonly string[]): ReadonlyMap<string, string> {
  return new Map(
    words.map((word) => {
      const [, digits, value] = /^(?:\[redacted:[a-z-]+:)?([0-9a-f]{8})\]?=(.+)$/s.exec(word) ?? [];
      if (digits !== undefined && value !== undefined) return [digits, JSON.stringify(value).slice(1, -1)] as const;
      throw usage('`--secret` takes the 8 digits of a placeholder and its value: write `--secret 1f2e3d4c=VALUE`.');
    }),
  );
}
