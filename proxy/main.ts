#!/usr/bin/env node
import inspector from 'node:inspector';

// SIGUSR1 makes Node listen for a debugger, to which any local program could then connect. A listener replaces that.
process.on('SIGUSR1', () => {});

/** Closes a debugger that a signal has opened before the listener was there. One that the user asked for stays. */
function closeDebugger(): void {
  const flags = [...process.execArgv, process.env.NODE_OPTIONS].join(' ');
  if (inspector.url() !== undefined && !/--inspect(?:-brk|-wait)?(?=[=\s]|$)/.test(flags)) inspector.close();
}

try {
  closeDebugger();
  // A host waits for a tapped server, so a tap loads nothing else.
  const isTap = process.argv[2] === 'tap' && (await (await import('./tap/main')).tap(process.argv.slice(3)));
  if (!isTap) {
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
