// Loaded into mcp-inspect by NODE_OPTIONS: on SIGUSR2 it collects garbage and writes what is still used, in bytes, to
// the file $BENCH_MEMORY. Resident memory says little, since it depends on when garbage is collected.
import { renameSync, writeFileSync } from 'node:fs';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

const { BENCH_MEMORY } = process.env;
setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc');
process.on('SIGUSR2', () => {
  collect();
  const { heapUsed, external } = process.memoryUsage();
  writeFileSync(`${BENCH_MEMORY}.new`, String(heapUsed + external));
  renameSync(`${BENCH_MEMORY}.new`, BENCH_MEMORY);
});
