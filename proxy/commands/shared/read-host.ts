import { HostReader } from '@/lib/host/host-reader';
import { type HostView, hostView } from '@/lib/host/host-view';
import { Log } from '@/lib/store/log';
import { progressText } from '@/lib/wire/format';
import type { Status } from '@/proxy/cli/status-line';
import { openFile } from '@/proxy/recorder/open-file';
import { lossText, readPortions } from '@/proxy/recorder/read-traffic';

/** Bytes of a recording that are held. Each frame is read as it comes. */
const HELD_BYTES = 32 * 1024 * 1024;

/** The client of a recorded session. */
export interface RecordedHost {
  readonly log: Log;
  readonly reader: HostReader;
  readonly view: HostView;
  /** Says what is missing in the file. */
  readonly lacks: string | undefined;
}

/** Reads the client of a recording. `file`: its name for people. Rejects as `openFile` and the reader do. */
export async function readRecordedHost(path: string, file: string, status: Status): Promise<RecordedHost> {
  const log = new Log('', { held: HELD_BYTES, again: HELD_BYTES });
  const reader = new HostReader(log);
  const opened = readPortions(await openFile(path), (progress) =>
    status.show(`Reading ${file}: ${progressText(progress)}`),
  );
  for await (const frames of opened.portions) {
    log.append(frames);
    reader.read(() => false);
  }
  return { log, reader, view: hostView(log, reader), lacks: lossText(opened.reader) };
}
