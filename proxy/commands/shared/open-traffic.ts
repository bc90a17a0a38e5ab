import type { OpenedTraffic } from '@/lib/replay/traffic/open-traffic';
import { progressText } from '@/lib/wire/format';
import type { Frame } from '@/lib/wire/frame';
import { usageError } from '@/proxy/cli/exit-code';
import type { Status } from '@/proxy/cli/status-line';
import { openErrorText } from '@/proxy/recorder/open-file';
import { readTrafficFile } from '@/proxy/recorder/read-traffic';
import type { LocalFile } from './recording-files';

interface Opening {
  /** Shows how far it is. */
  readonly status?: Status;
  /** Applied to every frame. */
  readonly through?: (frame: Frame) => Frame;
}

/** Opens the recording in a file. `where`: what named the file. Throws an ExitError. */
export async function openTrafficIn(
  { path, shown }: LocalFile,
  where: string,
  { status, through }: Opening = {},
): Promise<OpenedTraffic> {
  const onRead =
    status &&
    ((progress: Parameters<typeof progressText>[0]) => status.show(`Reading ${shown}: ${progressText(progress)}`));
  try {
    return await readTrafficFile(path, { ...(onRead && { onRead }), ...(through && { through }) });
  } catch (error) {
    throw usageError(`\`${shown}\` can’t be opened. ${openErrorText(error, where)}`);
  } finally {
    status?.end();
  }
}
