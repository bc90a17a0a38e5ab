import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { type ConfigInput, flagsOf, type GivenInput, type InputOption } from '@/lib/wire/config-inputs';
import { usageError } from '@/proxy/cli/exit-code';
import { plainText } from '@/proxy/cli/plain-text';

/** Returns false in CI too, where jobs often have a terminal, and nobody who reads it. */
export function isAttended(): boolean {
  return process.stdin.isTTY && process.stderr.isTTY && !process.env.CI;
}

/**
 * Returns a function that asks at the terminal, on stderr, without echo if hidden. The function resolves with
 * undefined at the end of stdin. Returns undefined if nobody would answer.
 */
export function terminalQuestions(): ((question: string, hidden: boolean) => Promise<string | undefined>) | undefined {
  if (!isAttended()) return undefined;
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
      // Restore the terminal before the signal ends this process.
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

/** How to ask a person. */
export interface Asking {
  /** Resolves with the typed line; undefined at the end of input. Absent if nobody can be asked. */
  readonly ask: ((question: string, hidden: boolean) => Promise<string | undefined>) | undefined;
  /** Writes a line for people. */
  printNote(line: string): void;
}

/**
 * Gets an answer to each input of a config: from the person at the terminal, or else its default. Throws an ExitError
 * if an input has neither.
 */
export async function askInputs(inputs: readonly ConfigInput[], asking: Asking): Promise<readonly GivenInput[]> {
  const given: GivenInput[] = [];
  const unanswered = asking.ask ? [] : inputs.filter((input) => input.default === undefined && !input.optional);
  if (unanswered.length > 0) throw missing(unanswered.map(({ id }) => id));
  for (const input of inputs) {
    const value = asking.ask ? await answerOf(input, asking, asking.ask) : defaultOf(input, asking);
    given.push({ id: input.id, value, ...flagsOf(input) });
  }
  return given;
}

function defaultOf({ id, default: preset, secret }: ConfigInput, { printNote }: Asking): string {
  if (preset === undefined) return '';
  printNote(
    `mcp-inspect: Using the default of \`${id}\`${secret ? '' : `, \`${preset}\``}. Change it with \`--input ${id}=VALUE\`.`,
  );
  return preset;
}

function missing(ids: readonly string[]): Error {
  const names = ids.map((id) => `\`${id}\``).join(', ');
  const options = ids.map((id) => `--input ${id}=VALUE`).join(' ');
  return usageError(`The config asks for ${names}, and there is no terminal to type in. Add \`${options}\`.`);
}

async function answerOf(input: ConfigInput, { printNote }: Asking, ask: NonNullable<Asking['ask']>): Promise<string> {
  const { id, title = '', description, optional, options, secret, command } = input;
  const preset = input.default ?? (optional ? '' : undefined);
  if (command !== undefined) {
    printNote(`\`${id}\` is the result of the editor’s command \`${command}\`, which can’t run here. Type the value.`);
  }
  const about = [title, description].filter((part) => part !== '').join(': ');
  if (about !== '') printNote(about);
  options?.forEach(({ label, value }, index) => {
    printNote(`  ${index + 1}  ${label}${label === value ? '' : ` (${value})`}`);
  });
  const shownDefault = preset === undefined ? '' : ` [${preset === '' ? 'none' : secret ? 'default' : preset}]`;
  for (;;) {
    const line = await ask(`${id}${shownDefault}: `, secret);
    if (line === undefined) throw missing([id]);
    const value = line === '' ? preset : options ? chosen(line, options) : line;
    if (value !== undefined) return value;
    printNote(
      options
        ? 'Type a number or a value from the list.'
        : `Type a value, or stop with Ctrl-C. \`--input ${id}=\` gives an empty value.`,
    );
  }
}

/** Finds an option by its number, else by its value. */
function chosen(line: string, options: readonly InputOption[]): string | undefined {
  const numbered = /^\d+$/.test(line) ? options[Number(line) - 1] : undefined;
  return (options.find(({ value }) => value === line) ?? numbered)?.value;
}
