/**
 * SQL over a long recording: time, CPU and memory of the first query, which builds the tables, and of later ones.
 * 500,000 frames of calls of 20 tools, as the recorder writes them; `--frames=N` sets another length. The target holds
 * for 10,000,000 frames on two cores, and is smaller in proportion. Exits with 1 beyond a target.
 */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { costOf, printCost } from './command-cost';
import { writeLongRecording } from './long-recording';

const FRAMES = Number(process.argv.find((word) => /^--frames=\d+$/.test(word))?.slice('--frames='.length) ?? 500_000);
const TOOLS = 20;
const file = join(process.env.MCP_INSPECT_HOME!, 'long.mcpr.jsonl');

/** Start of the program and of DuckDB, in seconds, whatever the length. */
const START_SECONDS = 2;
const SECONDS_PER_FRAME = (10 - START_SECONDS) / 10_000_000;
/** MB while tables are built, however long the recording is, and while a query runs. */
const [BUILD_MB, QUERY_MB] = [800, 1500];

const QUERIES = {
  'p99 per tool': 'select tool, count(*), quantile_cont(ms, 0.99) from calls group by tool',
  outcomes: 'select method, status, count(*) from exchanges group by all',
  'bytes by kind of frame': 'select kind, count(*), sum(bytes) from frames group by kind',
  'notifications of each tool': `select tool, count(*) from calls join frames
    on frames.recording = calls.recording and frames.request = calls.frame where kind = 'notification' group by tool`,
} as const;

await writeLongRecording(file, FRAMES, 5, TOOLS);
const build = await costOf(['query', 'select 1', file]);
printCost('tables are built', build, { peak: BUILD_MB });
console.log(`${' '.repeat(28)} ${Math.round(FRAMES / build.seconds).toLocaleString('en')} frames a second`);
for (const [what, sql] of Object.entries(QUERIES))
  printCost(what, await costOf(['query', sql, file]), {
    seconds: START_SECONDS + FRAMES * SECONDS_PER_FRAME,
    peak: QUERY_MB,
  });
rmSync(file);
