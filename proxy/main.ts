#!/usr/bin/env node
import inspector from 'node:inspector';
import { QUICK_COMMANDS } from '@/features/quick-commands';

// SIGUSR1 makes Node listen for a debugger, to which any local program could then connect. A listener replaces that.
process.on('SIGUSR1', () => {});

/** Closes a debugger that a signal has opened before the listener was there. One that the user asked for stays. */
function closeDebugger(): void {
  const flags = [...process.execArgv, process.env.NODE_OPTIONS].join(' ');
  if (inspector.url() !== undefined && !/--inspect(?:-brk|-wait)?(?=[=\s]|$)/.test(flags)) inspector.close();
}

try {
  closeDebugger();
  // Throws in a directory that was deleted.
  process.cwd();
  const quick = QUICK_COMMANDS.get(process.argv[2] ?? '');
  const isDone = quick !== undefined && (await (await quick())(process.argv.slice(3)));
  if (!isDone) {
    // A static import that fails can't be caught. With few descriptors, loading the code is the first thing that fails.
    const { main } = await import('./commands/main');
    // Node acts on the signal a moment later.
    closeDebugger();
    await main(import.meta.dirname);
  }
} catch (error) {
  const { code, syscall } = error as NodeJS.ErrnoException;
  const isGone = syscall === 'uv_cwd';
  if (code !== 'EMFILE' && code !== 'ENFILE' && !isGone) throw error;
  const why = isGone
    ? 'The working directory does not exist any more. Change to another one.'
    : 'This shell allows too few open files. Run `ulimit -n 4096`, then start again.';
  process.stderr.write(`mcp-inspect: ${why}\n`);
  process.exitCode = isGone ? 2 : 70;
}
