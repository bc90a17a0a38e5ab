import { parentPort, workerData } from 'node:worker_threads';
import { CaptureRedactor } from '@/lib/redact/capture-redactor';
import { systemClock } from '@/lib/wire/clock';
import { LazyEgress } from '@/proxy/egress/lazy-egress';
import type { ExportThreadData, FromExportThread, ToExportThread } from './export-thread';
import { Exporter } from './exporter';
import { LogExport } from './log-export';
import { unpackFrames } from './packed-frames';

// The entry of the thread that exports.
const port = parentPort!;
const { settings, version, instance, allowLocal } = workerData as ExportThreadData;
const say = (message: FromExportThread): void => port.postMessage(message);
const clock = systemClock;
const exporter = new Exporter(settings, {
  link: new LazyEgress({ clock, version, allowLocal, environment: process.env }),
  clock,
  version,
  instance,
  note: (sentence) => say({ is: 'note', sentence }),
  now: () => Date.now(),
});
const logs = new Map<number, { readonly log: LogExport; readonly redactor: CaptureRedactor }>();

port.on('message', (message: ToExportThread) => {
  if (message.is === 'end') {
    for (const { log } of logs.values()) log.end();
    logs.clear();
    void exporter.end(message.mostMs).then((exported) => say({ is: 'ended', exported }));
    return;
  }
  if (message.is === 'begin') {
    const redactor = new CaptureRedactor(message.secrets);
    logs.set(message.log, { log: new LogExport(message.part, exporter, redactor), redactor });
    return;
  }
  const known = logs.get(message.log);
  if (message.is === 'frames') {
    known?.log.add(unpackFrames(message.frames));
    say({ is: 'read', cost: message.cost });
  } else if (message.is === 'rest') known?.log.rest();
  else if (message.is === 'part') known?.log.beginPart(message.part, message.seq, message.number);
  else if (message.is === 'secrets') {
    if (message.given) known?.redactor.addGivenSecrets(message.values);
    else known?.redactor.addMaskedSecrets(message.values);
  } else {
    known?.log.end();
    logs.delete(message.log);
  }
});
