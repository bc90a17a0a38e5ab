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
  const { code } = error as NodeJS.ErrnoException;
  if (code !== 'EMFILE' && code !== 'ENFILE') throw error;
  process.stderr.write('mcp-inspect: This shell allows too few open files. Run `ulimit -n 4096`, then start again.\n');
  process.exitCode = 70;
}
