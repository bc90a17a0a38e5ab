import type { CheckedSource } from '@/lib/check/report';
import { EXIT, usageError } from '@/proxy/cli/exit-code';
import type { RunCommand } from '@/proxy/cli/grammar';
import { endCheck, readCheckEnd } from './check-options';
import { checkRecording, uncheckedText } from './check-recordings';

/** Checks recordings, and reports every problem. */
export const run: RunCommand = async (context) => {
  const { request, version, printNote } = context;
  const end = await readCheckEnd(request.given);
  const at = new Date().toISOString();
  if (request.words.length === 0) throw usageError('Nothing to check: name recordings.');
  const sources: CheckedSource[] = [];
  const unchecked: string[] = [];
  for (const file of request.words) {
    try {
      sources.push(await checkRecording(file, context));
    } catch (error) {
      unchecked.push(uncheckedText(file, error));
    }
  }
  context.status.end();
  const code = await endCheck({ version, sources, failOn: end.failOn, accepted: 0, at }, end, context);
  for (const sentence of unchecked) printNote(`mcp-inspect: ${sentence}`);
  return unchecked.length > 0 ? EXIT.usage : code;
};
