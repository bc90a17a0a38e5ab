import { resolve } from 'node:path';
import { junitXml, type TestCase } from '@/lib/check/junit-xml';
import { acceptAnswers, PINS_FILE } from '@/lib/pins/pins-file';
import { type PlayedPin, playPins, secretsOf } from '@/lib/pins/play-pins';
import { CaptureRedactor } from '@/lib/redact/capture-redactor';
import { countOf, formatCount, formatDuration } from '@/lib/wire/format';
import type { PinVerdict } from '@/lib/wire/pins';
import { EXIT, type ExitCode, usageError } from '@/proxy/cli/exit-code';
import type { Line, Tone } from '@/proxy/cli/output';
import { readNamedFile } from '@/proxy/files/named-files';
import { replaceFile, writeErrorReason } from '@/proxy/files/private-files';
import { MOST_PINS_BYTES } from '@/proxy/pins/pins-on-disk';
import { changeLines, changeTexts, readCompareOptions } from './compare-report';
import { terminalJson } from './format-content';
import { type Action, type ConnectedServer, onServer } from './on-server';
import { askThrough, readPinsFile } from './pins-file';
import { writeReports } from './report-files';

/** Plays the pinned calls of a file in one session, and compares their answers with those that were accepted. */
export const run = onServer(async ({ words: [file = PINS_FILE], given }) => {
  const how = readCompareOptions(given);
  const { text, pins } = await readPinsFile(file);
  const environment = (name: string): string | undefined => process.env[name];
  const secrets = secretsOf(pins, environment);
  const redactor = new CaptureRedactor(secrets);
  const stop = new AbortController();
  let isPlaying = false;
  const play = async ({ connection, out }: ConnectedServer): Promise<ExitCode> => {
    isPlaying = true;
    const played: PlayedPin[] = [];
    const ask = askThrough(connection, redactor, stop.signal);
    for await (const one of playPins(pins, ask, how, environment)) {
      if (stop.signal.aborted) break;
      played.push(one);
      out.status.show(
        `${formatCount(played.length)} of ${countOf(pins.length, 'call')}… Ctrl-C stops and prints the report`,
      );
    }
    isPlaying = false;
    out.status.end();
    if (out.json) out.printExact(terminalJson(reportOf(played)));
    else out.printLines([...played.flatMap(pinLines), summaryLine(played)]);
    await writeReports(given, 'junit', () => junitXml([{ name: file, cases: played.map(testCase) }]));
    if (stop.signal.aborted) {
      out.printNote(
        'mcp-inspect',
        `Interrupted after ${formatCount(played.length)} of ${countOf(pins.length, 'call')}.`,
      );
      return EXIT.interrupted;
    }
    if (given.has('update')) return accept(file, text, played, out);
    const fresh = played.filter(({ verdict }) => verdict === 'new').length;
    if (fresh > 0) {
      out.printNote(
        'mcp-inspect',
        `${countOf(fresh, 'call')} without an accepted answer. Accept what you see with \`--update\`.`,
      );
    }
    return played.every(({ verdict }) => verdict === 'same' || verdict === 'new') ? EXIT.fine : EXIT.serverError;
  };
  return Object.assign(play, {
    connect: {
      redactor,
      secrets,
      interrupt: () => {
        stop.abort();
        return isPlaying;
      },
    },
  } satisfies Pick<Action, 'connect'>);
});

const TONES: Readonly<Record<PinVerdict, Tone>> = {
  same: 'good',
  changed: 'bad',
  broken: 'bad',
  new: 'warn',
  skipped: 'warn',
};

function pinLines(one: PlayedPin): readonly Line[] {
  const { pin, verdict, why, ms } = one;
  const took = verdict === 'skipped' ? '' : `  ${formatDuration(ms * 1000)}`;
  return [
    [{ text: verdict.padEnd(8), tone: TONES[verdict] }, ` ${pin.name}`, { text: took, tone: 'muted' }],
    ...(why === undefined ? [] : [[`  ${why}`]]),
    ...changeLines(one),
  ];
}

const VERDICTS = Object.keys(TONES) as readonly PinVerdict[];

function countsOf(played: readonly PlayedPin[]): Readonly<Record<PinVerdict, number>> {
  const counts = VERDICTS.map((known) => [known, played.filter(({ verdict }) => verdict === known).length] as const);
  return Object.fromEntries(counts) as Record<PinVerdict, number>;
}

function summaryLine(played: readonly PlayedPin[]): Line {
  const counts = countsOf(played);
  const parts = VERDICTS.filter((verdict) => counts[verdict] > 0).map((verdict) => `${counts[verdict]} ${verdict}`);
  const isFine = counts.same + counts.new === played.length;
  return [{ text: `${countOf(played.length, 'call')}: ${parts.join(', ') || 'none'}.`, tone: isFine ? 'good' : 'bad' }];
}

/** The report for programs. */
function reportOf(played: readonly PlayedPin[]): object {
  return {
    summary: countsOf(played),
    calls: played.map(({ pin, verdict, why, ends, differences, ms }) => ({
      name: pin.name,
      method: pin.method,
      verdict,
      ms: Number(ms.toFixed(3)),
      ...(why !== undefined && { why }),
      ...(ends && { ends }),
      ...(differences.length > 0 && { differences }),
    })),
  };
}

function testCase(one: PlayedPin): TestCase {
  const { pin, verdict, why, ms } = one;
  const isFine = verdict === 'same' || verdict === 'new';
  return {
    className: pin.method,
    name: pin.name,
    failures: isFine || verdict === 'skipped' ? [] : [...(why === undefined ? [] : [why]), ...changeTexts(one)],
    ...(verdict === 'skipped' && { skipped: why ?? '' }),
    ms,
  };
}

/** Accepts every answer that is not the accepted one, and writes the file. */
async function accept(
  file: string,
  text: string,
  played: readonly PlayedPin[],
  out: ConnectedServer['out'],
): Promise<ExitCode> {
  const taken = played.filter(({ verdict, answer }) => answer && verdict !== 'same');
  const left = played.filter(({ answer }) => !answer).length;
  if (taken.length > 0) {
    const { text: now } = await readNamedFile(resolve(file), { most: MOST_PINS_BYTES });
    if (now !== text) throw usageError(`\`${file}\` has changed meanwhile, so nothing was accepted: run this again.`);
    const written = acceptAnswers(text, new Map(taken.map(({ index, answer }) => [index, answer!])));
    await replaceFile(resolve(file), written).catch((error: unknown) => {
      throw usageError(`\`${file}\` can’t be written: ${writeErrorReason(error)}.`);
    });
  }
  out.printNote('mcp-inspect', `Accepted ${countOf(taken.length, 'answer')} in ${file}.`);
  return left === 0 ? EXIT.fine : EXIT.serverError;
}
