import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { plainText } from './plain-text';

/**
 * Asks at the terminal, on stderr. What is hidden is not echoed. Resolves with undefined at the end of stdin. Absent
 * where stdin or stderr is not a terminal.
 */
export function terminalQuestions(): ((question: string, hidden: boolean) => Promise<string | undefined>) | undefined {
  if (!process.stdin.isTTY || !process.stderr.isTTY) return undefined;
  return (question, hidden) =>
    new Promise((resolve) => {
      const prompt = plainText(question).replace(/\s+/g, ' ');
      const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
      const lines = createInterface({
        input: process.stdin,
        output: hidden ? silent : process.stderr,
        prompt,
        terminal: true,
        historySize: 0,
      });
      if (hidden) process.stderr.write(prompt);
      else lines.prompt();
      lines.once('line', (line) => {
        resolve(line);
        lines.close();
      });
      // The terminal is back to normal before the signal ends us.
      lines.once('SIGINT', () => {
        lines.close();
        process.stderr.write('\n');
        process.kill(process.pid, 'SIGINT');
      });
      lines.once('close', () => {
        if (hidden) process.stderr.write('\n');
        resolve(undefined);
      });
    });
}
