import { compactJson } from '@/lib/json/exact';

/** A case as it is made from a chat or from a call. */
export interface CaseFacts {
  readonly name: string;
  readonly prompt: string;
  readonly system?: string | undefined;
  readonly servers?: readonly string[];
  /** Answers in the place of tools. */
  readonly answers?: readonly (readonly [tool: string, text: string])[];
  /** The calls that are expected, with JSON text as arguments. None: no call is expected. */
  readonly calls: readonly { readonly tool: string; readonly arguments: string }[];
}

/**
 * Returns a case as YAML, to be put under `cases:`. Unless a text is plain words, it is written as JSON, which is YAML
 * too, so that nothing a model or a server wrote can break out of its place.
 */
export function caseText({ name, prompt, system, servers, answers = [], calls }: CaseFacts): string {
  const [only] = calls;
  const expected =
    only === undefined
      ? ['mostCalls: 0']
      : calls.length === 1
        ? callLines(only)
        : ['calls:', ...calls.flatMap((call) => indented(callLines(call), '- '))];
  return [
    ...indented(
      [
        `name: ${scalar(name)}`,
        `prompt: ${scalar(prompt)}`,
        ...(system === undefined ? [] : [`system: ${scalar(system)}`]),
        ...(servers ? [`servers: [${servers.map(scalar).join(', ')}]`] : []),
        ...(answers.length > 0
          ? ['answers:', ...answers.map(([tool, text]) => `  ${scalar(tool)}: ${scalar(text)}`)]
          : []),
        'expect:',
        ...expected.map((line) => `  ${line}`),
      ],
      '- ',
    ),
    '',
  ].join('\n');
}

function callLines({ tool, arguments: args }: CaseFacts['calls'][number]): readonly string[] {
  const text = args.trim() === '' ? '{}' : args;
  return [`tool: ${scalar(tool)}`, ...(isObjectText(text) ? [`arguments: ${compactJson(text)}`] : [])];
}

/** Texts that YAML takes as they are, also within brackets. */
const PLAIN = /^[A-Za-z_][\w .!?()-]*[\w.!?)]$/;
/** Plain words that mean another value. */
const WORDS = /^(?:true|false|null|yes|no|on|off|nan)$/i;

/** A text as YAML. */
function scalar(text: string): string {
  return PLAIN.test(text) && !WORDS.test(text) ? text : JSON.stringify(text);
}

/** A model may write arguments that are no JSON. Nothing can be expected of them. */
function isObjectText(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}

/** Indents the item of a list. */
function indented(lines: readonly string[], first: string): readonly string[] {
  return lines.map((line, at) => `  ${at === 0 ? first : '  '}${line}`);
}

/** Adds a case to the text of a file, which may be empty. */
export function withCase(file: string, added: string): string {
  const text = file.trimEnd();
  return /^cases:/m.test(text) ? `${text}\n${added}` : `${text === '' ? '' : `${text}\n`}cases:\n${added}`;
}
