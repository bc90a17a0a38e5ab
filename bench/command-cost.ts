import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { fromRoot } from './inspected';

/** Cost of a command. */
export interface Cost {
  readonly seconds: number;
  readonly cpu: number;
  /** MiB. */
  readonly peak: number;
}

/** Runs a subcommand to its end, or until it prints its first line after `input`. */
export async function costOf(words: readonly string[], input?: string): Promise<Cost> {
  const begin = performance.now();
  const child = spawn(process.execPath, [fromRoot('dist/cli.js'), ...words], { stdio: ['pipe', 'pipe', 'ignore'] });
  let [cpu, peak] = [0, 0];
  const look = () => {
    try {
      const stat = readFileSync(`/proc/${child.pid}/stat`, 'latin1');
      const facts = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      cpu = (Number(facts[11]) + Number(facts[12])) / 100;
      peak = Math.max(
        peak,
        Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1] ?? 0) / 1024,
      );
    } catch {
      // It has ended, or the system has no /proc.
    }
  };
  const looking = setInterval(look, 20);
  const exit = once(child, 'exit');
  if (input === undefined) {
    child.stdout.resume();
    child.stdin.end();
  } else {
    child.stdin.write(`${input}\n`);
    await once(child.stdout, 'data');
    look();
    child.stdin.end();
  }
  const seconds = (performance.now() - begin) / 1000;
  await exit;
  clearInterval(looking);
  return { seconds: input === undefined ? (performance.now() - begin) / 1000 : seconds, cpu, peak };
}

/** Targets of a cost. */
export interface Bar {
  readonly seconds?: number;
  /** MB, as the targets are written. */
  readonly peak?: number;
}

/** Prints a cost. One beyond its bar becomes the exit code. */
export function printCost(what: string, { seconds, cpu, peak }: Cost, bar: Bar): void {
  const targets = [
    ...(bar.seconds === undefined ? [] : [`≤ ${bar.seconds} s`]),
    ...(bar.peak === undefined ? [] : [`≤ ${bar.peak} MB`]),
  ];
  console.log(
    `${what.padEnd(28)} ${seconds.toFixed(2)} s  CPU ${cpu.toFixed(2)} s  peak ${peak.toFixed(0)} MiB  (target ${targets.join(', ')})`,
  );
  const isBeyond =
    seconds > (bar.seconds ?? seconds) || (peak * 1024 * 1024) / 1e6 > (bar.peak ?? Number.POSITIVE_INFINITY);
  if (isBeyond) process.exitCode = 1;
}
