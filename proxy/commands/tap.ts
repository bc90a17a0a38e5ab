import { usageError } from '@/proxy/cli/exit-code';
import { lastValue, type RunCommand } from '@/proxy/cli/grammar';
import { runTap } from '@/proxy/tap/tap';
import { bytesIn, msIn, tapLine } from '@/proxy/tap/tap-line';

/** Runs a tap whose command line only the grammar of all commands could read. */
export const run: RunCommand = ({ request: { given, server }, version }) => {
  const [size, age] = [lastValue(given, 'max-size'), lastValue(given, 'max-age')];
  if (size !== undefined && bytesIn(size) === undefined) {
    throw usageError(`\`--max-size ${size.slice(0, 60)}\` is invalid: give a size such as 64MB.`);
  }
  if (age !== undefined && msIn(age) === undefined) {
    throw usageError(`\`--max-age ${age.slice(0, 60)}\` is invalid: give an age such as 12h or 7d.`);
  }
  const line = tapLine((name) => lastValue(given, name), server);
  if (!line || /^[a-z]+:\/\//i.test(server[0]!)) {
    throw usageError('`tap` needs the command of a server: write `mcp-inspect tap -- node server.js`.');
  }
  return runTap(line, version);
};
