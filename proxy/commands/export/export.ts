import { usageError } from '@/proxy/cli/exit-code';
import type { RunCommand } from '@/proxy/cli/grammar';
import { exportOtlp } from './otlp';

/** The forms in which recordings are exported, by option. Each reads its own files. */
const FORMS: ReadonlyMap<string, RunCommand> = new Map<string, RunCommand>([
  ['otlp', exportOtlp],
  ['parquet', async (context) => (await import('./parquet')).exportParquet(context)],
]);

/** Exports recordings in one form. */
export const run: RunCommand = (context) => {
  const asked = Array.from(FORMS).filter(([option]) => context.request.given.has(option));
  const names = Array.from(FORMS.keys(), (option) => `\`--${option}\``);
  const [form] = asked;
  if (!form) throw usageError(`\`export\` needs a form: ${names.join(' or ')}. See \`mcp-inspect help export\`.`);
  if (asked.length > 1) throw usageError(`Export in one form at a time: choose ${names.join(' or ')}.`);
  return form[1](context);
};
