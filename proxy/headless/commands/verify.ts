import { resolve } from 'node:path';
import { comparedNothing, compareSessions, isEqual } from '@/lib/compare/compare-sessions';
import { playPlan } from '@/lib/compare/play-plan';
import { recordedClient } from '@/lib/compare/recorded-client';
import { SessionReader } from '@/lib/session/session-reader';
import { atOnce } from '@/lib/wire/in-slices';
import { PROTOCOL_VERSIONS } from '@/lib/wire/lifecycle';
import { comparisonJson } from '../../comparing/comparison-json';
import { junitXml } from '../../comparing/junit';
import { readComparing } from '../../comparing/read-comparing';
import { reportLines, type Sides } from '../../comparing/report';
import { openFailure } from '../../recorder/open-failure';
import { writeReport } from '../../recorder/report-file';
import { damageNotes } from '../../recordings/damage-notes';
import { readSession } from '../../recordings/read-session';
import { EXIT, type ExitCode, usage } from '../exit-code';
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
  const run = async ({ session, out }: Run): Promise<ExitCode> => {
    for (const sentence of damageNotes(opened)) out.note('mcp-inspect', sentence);
    const played = await playSteps(steps, recorded, session, reader);
    const comparison = atOnce(compareSessions(recorded, reader.end(), how, played.pairs));
    if (json) out.exact(comparisonJson(comparison));
    else out.print(reportLines(comparison, SIDES));
    for (const path of own.get('junit') ?? []) await writeJunit(path, junitXml(comparison, SIDES, header.name));
    if (played.gone) out.note('mcp-inspect', `${played.gone.message} ${played.gone.advice}`);
    if (played.gone) return EXIT.noConnection;
    if (comparedNothing(comparison)) out.note('mcp-inspect', NOTHING_COMPARED);
    return isEqual(comparison) ? EXIT.fine : EXIT.serverError;
  };
  const protocol = PROTOCOL_VERSIONS.find((version) => version === recorded.version);
  return Object.assign(run, {
    connect: {
      client: recordedClient(recorded, secrets),
      heard: (frame) => reader.push(frame),
      ...(protocol !== undefined && { protocol }),
    },
  } satisfies Pick<Action, 'connect'>);
};

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

async function writeJunit(path: string, xml: string): Promise<void> {
  await writeReport(resolve(path), xml).catch((error: NodeJS.ErrnoException) => {
    throw usage(`The file \`${path}\` can’t be written (${error.code}): check the path after \`--junit\`.`);
  });
}
