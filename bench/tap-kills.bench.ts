/**
 * The cost of a SIGKILL of the tap, of the host or of the page: 50 of each (`--kills=N`), at random instants of a
 * session with 100 calls a second, a third of them in its first second, beside `--busy=N` processes that take all of
 * the processor. Counts processes that are left 5 s later, and answers that the host had read before and that the
 * recording lacks. Fails if there are processes, or answers that were read more than 100 ms before. Linux only.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fromRoot, launchLink } from './inspected';

const given = (name: string, otherwise: number): number =>
  Number(process.argv.find((word) => word.startsWith(`--${name}=`))?.slice(name.length + 3) ?? otherwise);
const KILLS = given('kills', 50);
/** Milliseconds from the start of a session, and from its first answer, before which it is killed. */
const START_MS = 1000;
const SESSION_MS = 2000;
/** An answer that was read so many ms before the kill is on disk. */
const PROMISE_MS = 100;
const ORPHAN_MS = 5000;
const cli = fromRoot('dist/cli.js');

/**
 * A host: calls every 10 ms, and writes the id and time of each answer to its stdout at once. First the process of the
 * tap.
 */
const HOST = `const [seconds, ...argv] = process.argv.slice(1);
const { spawn } = require('node:child_process');
const { writeSync } = require('node:fs');
const tap = spawn(argv[0], argv.slice(1), { stdio: ['pipe', 'pipe', 'inherit'] });
writeSync(1, tap.pid + '\\n');
let rest = '';
tap.stdin.on('error', () => {});
tap.stdout.on('data', (chunk) => {
  const lines = (rest + chunk).split('\\n');
  rest = lines.pop();
  for (const line of lines) writeSync(1, JSON.parse(line).id + ' ' + Date.now() + '\\n');
});
tap.on('exit', () => process.exit());
let n = 0;
setInterval(() => tap.stdin.write(JSON.stringify({ jsonrpc: '2.0', id: ++n, method: 'tools/call', params: { name: 'echo', arguments: { text: 'n' + n } } }) + '\\n'), 10);`;

/** A server that answers each call. Its arguments show whose it is. */
const SERVER = `require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, params } = JSON.parse(line);
  console.log(JSON.stringify({ jsonrpc: '2.0', id, result: { content: [{ type: 'text', text: params.arguments.text }] } }));
});`;

type Victim = 'tap' | 'host' | 'page';

interface Outcome {
  readonly orphans: number;
  readonly answered: number;
  /** Answers that are missing, and those of them that were read long before. */
  readonly lost: number;
  readonly broken: number;
}

/** Returns the processes with a text in their arguments, apart from zombies. */
function processesWith(text: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .map(Number)
    .filter((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, 'latin1').includes(text);
      } catch {
        return false;
      }
    });
}

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

async function gone(mark: string): Promise<number> {
  for (const end = performance.now() + ORPHAN_MS; performance.now() < end; await sleep(20))
    if (processesWith(mark).length === 0) return 0;
  const left = processesWith(mark);
  for (const pid of left) process.kill(pid, 'SIGKILL');
  return left.length;
}

/** Returns the ids of the answers in a recording, as far as its lines are complete. */
function recordedIds(home: string): ReadonlySet<string> {
  const folder = join(home, 'recordings');
  const names = existsSync(folder) ? readdirSync(folder) : [];
  const text = names.map((name) => readFileSync(join(folder, name), 'utf8')).join('');
  return new Set([...text.matchAll(/"d":"<","m":\{"jsonrpc":"2\.0","id":(\d+),.*\n/g)].map(([, id]) => id!));
}

async function startPage(home: string): Promise<ChildProcess> {
  const page = spawn(process.execPath, [cli, '--no-open', '--port', '0'], {
    stdio: ['ignore', 'pipe', 'ignore'],
    env: { ...process.env, MCP_INSPECT_HOME: home },
  });
  await launchLink(page);
  return page;
}

async function killOnce(victim: Victim, mark: string, isEarly: boolean): Promise<Outcome> {
  const home = mkdtempSync(join(tmpdir(), 'tap-kills-'));
  const page = victim === 'page' ? await startPage(home) : undefined;
  const command = [process.execPath, cli, 'tap', '--', process.execPath, '-e', SERVER, mark];
  const host = spawn(process.execPath, ['-e', HOST, mark, ...command], {
    stdio: ['pipe', 'pipe', 'ignore'],
    env: { ...process.env, MCP_INSPECT_HOME: home },
  });
  let printed = '';
  const closed = once(host.stdout, 'close');
  host.stdout.on('data', (chunk: Buffer) => {
    printed += chunk;
  });
  const isBegun = (): boolean => printed.split('\n').length > (isEarly ? 1 : 2);
  while (!isBegun()) await sleep(1);
  await sleep(Math.random() * (isEarly ? START_MS : SESSION_MS));
  const tap = Number(printed.slice(0, printed.indexOf('\n')));
  if (victim === 'page') {
    page!.kill('SIGKILL');
    await once(page!, 'exit');
    const before = printed.length;
    while (printed.length < before + 100) await sleep(5);
    process.kill(tap, 'SIGTERM');
  }
  const killed = Date.now();
  if (victim !== 'page') process.kill(victim === 'tap' ? tap : host.pid!, 'SIGKILL');
  await closed;
  const orphans = await gone(mark);
  const answers = printed
    .split('\n')
    .slice(1, -1)
    .map((line) => line.split(' '));
  const recorded = recordedIds(home);
  rmSync(home, { recursive: true, force: true });
  const lost = answers.filter(([id]) => !recorded.has(id!));
  const broken = lost.filter(([, time]) => killed - Number(time) > PROMISE_MS);
  return { orphans, answered: answers.length, lost: lost.length, broken: broken.length };
}

const busy = Array.from({ length: given('busy', 0) }, () => spawn(process.execPath, ['-e', 'for (;;);']));
for (const victim of ['tap', 'host', 'page'] as const) {
  const all: Outcome[] = [];
  for (let n = 0; n < KILLS; n++)
    all.push(await killOnce(victim, `mark-${process.pid}-${victim}-${n}-`, victim !== 'page' && n % 3 === 0));
  const sum = (key: keyof Outcome): number => all.reduce((total, one) => total + one[key], 0);
  console.log(
    `tap-kills   ${victim}: ${KILLS} kills, ${sum('orphans')} processes left, of ${sum('answered')} answers ${sum('lost')} not recorded, ${sum('broken')} of them read more than ${PROMISE_MS} ms before`,
  );
  if (sum('orphans') + sum('broken') > 0) process.exitCode = 1;
}
for (const process of busy) process.kill();
