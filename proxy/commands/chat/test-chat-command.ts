import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import type { ExitCode } from '@/proxy/cli/exit-code';
import { type CommandContext, parseCommandLine } from '@/proxy/cli/grammar';
import { styledText } from '@/proxy/cli/output';
import { COMMANDS } from '../registry';

export const ROOT = join(import.meta.dirname, '../../..');
/** A config with the demo server (2026-07-28) and the tides server (2025-06-18). */
export const TWO_SERVERS = join(ROOT, 'examples/eval/mcp.json');

/** Makes a folder for the tests of a file, and writes files into it. */
export function testFolder(files: Readonly<Record<string, string>> = {}): string {
  const folder = mkdtempSync(join(tmpdir(), 'mcp-inspect-chat-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return folder;
}

/** Runs a command without signals, and keeps what it prints. */
export async function runKept(
  command: (context: CommandContext, onSignals: () => void) => Promise<ExitCode>,
  argv: readonly string[],
): Promise<{ readonly code: ExitCode; readonly stdout: string; readonly notes: readonly string[] }> {
  const line = parseCommandLine(argv, COMMANDS, () => true);
  if (line.kind !== 'run') throw new Error(`It asks for ${line.kind}.`);
  const [stdout, notes]: [string[], string[]] = [[], []];
  const code = await command(
    {
      ...{ request: line.request, version: '1', home: join(ROOT, 'dist') },
      printText: (text) => stdout.push(text),
      printLines: (lines) => stdout.push(styledText(lines, false)),
      printNote: (text) => notes.push(text),
      status: { show: () => {}, end: () => {} },
    },
    () => {},
  );
  return { code, stdout: stdout.join('\n'), notes };
}
