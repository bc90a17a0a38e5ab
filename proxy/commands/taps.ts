import { formatDate } from '@/lib/wire/format';
import { EXIT } from '@/proxy/cli/exit-code';
import type { RunCommand } from '@/proxy/cli/grammar';
import { plainText } from '@/proxy/cli/plain-text';
import { table } from '@/proxy/cli/table';
import { ownRecordingsFolder } from '@/proxy/files/data-folder';
import { urlTaps } from '@/proxy/files/tap-control-files';
import { runningTaps } from '@/proxy/tap/find-taps';
import { terminalJson } from './shared/format-content';

/** Lists the taps that run. */
export const run: RunCommand = async ({ request, printText }) => {
  const folder = ownRecordingsFolder();
  const sessions = runningTaps(folder);
  const waiting = urlTaps(folder).filter(
    ({ session }) => !sessions.some((one) => one.session.startsWith(`${session}.`)),
  );
  const taps = [...sessions, ...waiting.map((tap) => ({ ...tap, path: undefined }))];
  if (request.given.has('json')) {
    printText(
      terminalJson(taps.map(({ path, pid, host, name, at }) => ({ host, server: name, pid, started: at, file: path }))),
    );
  } else if (taps.length === 0) {
    process.stdout.write('No tap is running. Start one with `mcp-inspect tap -- COMMAND`, in the config of a host.\n');
  } else {
    const rows = taps.map(({ host = '', name, pid, at, path = '(no session yet)' }) =>
      [host, name, String(pid), formatDate(at), path].map(plainText),
    );
    process.stdout.write(`${table(['HOST', 'SERVER', 'PID', 'STARTED', 'RECORDING'], rows, process.stdout.columns)}\n`);
  }
  return EXIT.fine;
};
