import { randomUUID } from 'node:crypto';
import { basename } from 'node:path';
import { systemClock } from '@/lib/wire/clock';
import { countOf, progressText } from '@/lib/wire/format';
import { EXIT, ExitError } from '@/proxy/cli/exit-code';
import type { CommandContext } from '@/proxy/cli/grammar';
import { LazyEgress } from '@/proxy/egress/lazy-egress';
import { Exporter } from '@/proxy/otel/exporter';
import { LogExport } from '@/proxy/otel/log-export';
import { openFile } from '@/proxy/recorder/open-file';
import { lossText, readPortions } from '@/proxy/recorder/read-traffic';
import type { OutputChoice } from '../shared/output-options';
import { otlpSettings } from './live-export';
import type { ExportForm } from './masked-copies';

/** How long the receiver may take for what is left at the end, in ms. */
const END_MS = 120_000;

/** Sends the exchanges of recordings to an OTLP receiver: that of `--out`, or of the environment. */
export function otlpForm({ out }: OutputChoice, { version, status, printNote, printText }: CommandContext): ExportForm {
  const settings = otlpSettings(out ?? 'env', '--out');
  const clock = systemClock;
  const exporter = new Exporter(settings, {
    link: new LazyEgress({ clock, version, allowLocal: false, environment: process.env }),
    clock,
    version,
    instance: randomUUID(),
    note: (sentence) => printNote(`mcp-inspect: ${sentence}`),
    now: () => Date.now(),
  });
  let [recordings, unfinished] = [0, 0];
  return {
    async add(path, { shown }) {
      recordings++;
      const opened = readPortions(await openFile(path), (progress) =>
        status.show(`Reading ${shown}: ${progressText(progress)}`),
      );
      let log: LogExport | undefined;
      for await (const frames of opened.portions) {
        const { id } = opened.reader.reader.header!;
        log ??= new LogExport({ recording: id, file: basename(shown), seed: id }, exporter);
        log.add(frames);
        await exporter.room();
        if (exporter.failure !== undefined) break;
      }
      const lacks = lossText(opened.reader);
      if (lacks !== undefined) printNote(`mcp-inspect: ${shown}: ${lacks}`);
      unfinished += log?.end() ?? 0;
      return exporter.failure === undefined;
    },
    abandon: () => exporter.end(0),
    async end() {
      status.show('Exporting…');
      const { sent, dropped } = await exporter.end(END_MS);
      status.end();
      if (sent === 0 && exporter.failure !== undefined) {
        const advice = out === undefined ? 'Name the receiver with `--out URL`.' : 'Check the URL after `--out`.';
        throw new ExitError(EXIT.noConnection, `Nothing was exported. ${exporter.failure} ${advice}`);
      }
      printText(`Exported ${countOf(sent, 'span')} of ${countOf(recordings, 'recording')} to ${settings.shown}`);
      if (unfinished > 0) printNote(`mcp-inspect: ${countOf(unfinished, 'request')} had no end, and no span.`);
      return dropped > 0 ? EXIT.serverError : EXIT.fine;
    },
  };
}
