import { randomUUID } from 'node:crypto';
import { basename, resolve } from 'node:path';
import { systemClock } from '@/lib/wire/clock';
import { countOf, progressText } from '@/lib/wire/format';
import { EXIT, ExitError, usageError } from '@/proxy/cli/exit-code';
import { lastValue, type RunCommand } from '@/proxy/cli/grammar';
import { LazyEgress } from '@/proxy/egress/lazy-egress';
import { Exporter } from '@/proxy/otel/exporter';
import { LogExport } from '@/proxy/otel/log-export';
import { openErrorText, openFile } from '@/proxy/recorder/open-file';
import { lossText, readPortions } from '@/proxy/recorder/read-traffic';
import { otlpSettings } from './live-export';

/** How long the receiver may take for what is left at the end, in ms. */
const END_MS = 120_000;

/** Sends the exchanges of recordings to an OTLP receiver. */
export const exportOtlp: RunCommand = async (context) => {
  const { request, version, status, printNote, printText } = context;
  const settings = otlpSettings(lastValue(request.given, 'otlp')!);
  const clock = systemClock;
  const exporter = new Exporter(settings, {
    link: new LazyEgress({ clock, version, allowLocal: false, environment: process.env }),
    ...{ clock, version, instance: randomUUID() },
    note: (sentence) => printNote(`mcp-inspect: ${sentence}`),
    now: () => Date.now(),
  });
  let unfinished = 0;
  for (const file of request.words) {
    if (exporter.failure === undefined) unfinished += await addFile(file, exporter, context);
  }
  status.show('Exporting…');
  const { sent, dropped } = await exporter.end(END_MS);
  status.end();
  if (sent === 0 && exporter.failure !== undefined) throw new ExitError(EXIT.noConnection, exporter.failure);
  printText(`Exported ${countOf(sent, 'span')} of ${countOf(request.words.length, 'recording')} to ${settings.shown}`);
  if (unfinished > 0) printNote(`mcp-inspect: ${countOf(unfinished, 'request')} had no end, and no span.`);
  return dropped > 0 ? EXIT.serverError : EXIT.fine;
};

/** Adds the exchanges of a recording. Returns how many requests had no end. */
async function addFile(
  file: string,
  exporter: Exporter,
  { status, printNote }: Parameters<RunCommand>[0],
): Promise<number> {
  try {
    const opened = readPortions(await openFile(resolve(file)), (progress) =>
      status.show(`Reading ${file}: ${progressText(progress)}`),
    );
    let log: LogExport | undefined;
    for await (const frames of opened.portions) {
      const { id } = opened.reader.reader.header!;
      log ??= new LogExport({ recording: id, file: basename(file), seed: id }, exporter);
      log.add(frames);
      await exporter.room();
      if (exporter.failure !== undefined) break;
    }
    const lacks = lossText(opened.reader);
    if (lacks !== undefined) printNote(`mcp-inspect: ${file}: ${lacks}`);
    return log?.end() ?? 0;
  } catch (error) {
    throw usageError(`\`${file}\` can’t be opened. ${openErrorText(error, 'after `export`')}`);
  }
}
