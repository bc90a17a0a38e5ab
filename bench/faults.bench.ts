/**
 * Seeded faults: how many of them `mcp-inspect check` finds, in each era. Each row is a server that keeps to the
 * specification except for one fault, and the rule that must be among the problems of its report. A flag narrows it
 * to the faults whose names begin with it: `npm run bench -- faults --tool`.
 */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { ERAS, FAULTY } from '@/features/check/proxy/check/test-check';
import { type SeededFault, seededFaults } from '@/features/check/proxy/check/test-faults';

declare const ROOT: string;

/** Servers that are checked at a time. */
const JOBS = 2;

interface Row {
  readonly era: keyof typeof ERAS;
  readonly fault: SeededFault;
  readonly seconds: number;
  readonly isFound: boolean;
}

async function report(args: readonly string[]): Promise<string> {
  const child = spawn(process.execPath, [join(ROOT, 'dist/cli.js'), 'check', '--json', ...args], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  let text = '';
  for await (const chunk of child.stdout) text += chunk;
  return text;
}

async function check(era: Row['era'], fault: SeededFault): Promise<Row> {
  const began = performance.now();
  const calls = fault.isOfCalls ? ['--allow', 'read-only'] : [];
  const limits = ['--request-timeout', '5', '--timeout', '60'];
  const server = ['--', process.execPath, join(ROOT, FAULTY), era, fault.fault];
  const text = await report([...calls, ...limits, '--protocol', ERAS[era], ...server]);
  const { problems } = JSON.parse(text) as { problems: readonly { rule: string }[] };
  const isFound = problems.some(({ rule }) => rule === fault.rule);
  return { era, fault, isFound, seconds: (performance.now() - began) / 1000 };
}

const prefix = process.argv.slice(2).map((flag) => flag.replace(/^-+/, ''))[0] ?? '';
const tasks = (['legacy', 'modern'] as const).flatMap((era) =>
  seededFaults(era)
    .filter(({ fault }) => fault.startsWith(prefix))
    .map((fault) => ({ era, fault })),
);
const rows: Row[] = [];
const left = [...tasks];
await Promise.all(
  Array.from({ length: JOBS }, async () => {
    for (let task = left.shift(); task; task = left.shift()) rows.push(await check(task.era, task.fault));
  }),
);
const names = [...new Set(tasks.map(({ fault }) => fault.fault))];
const verdict = (name: string, era: Row['era']): string => {
  const row = rows.find(({ fault, era: of }) => fault.fault === name && of === era);
  return row ? `${row.isFound ? row.fault.rule : `MISSED ${row.fault.rule}`}` : '–';
};
for (const name of names)
  console.log(`${name.padEnd(24)}${verdict(name, 'legacy').padEnd(28)}${verdict(name, 'modern')}`);
for (const era of ['legacy', 'modern'] as const) {
  const own = rows.filter((row) => row.era === era);
  const slowest = own.reduce((most, row) => (row.seconds > most.seconds ? row : most), own[0]!);
  console.log(
    `${era}: ${own.filter(({ isFound }) => isFound).length} of ${own.length} faults found; ` +
      `the slowest check took ${slowest.seconds.toFixed(1)} s (${slowest.fault.fault})`,
  );
}
if (rows.some(({ isFound }) => !isFound)) process.exitCode = 1;
