import { HIDDEN_CHARACTERS, unitEscapes } from '@/lib/wire/control-characters';
import { isDangerousName } from '@/lib/wire/dangerous-names';
import type { ConfigEntry } from '@/lib/wire/server-config';

const HIDDEN = new RegExp(`[\\n\\t${HIDDEN_CHARACTERS}]`, 'gu');

/**
 * Returns lines that say what a server of a config starts and what it gets, all as it is written, since that is what a
 * person agrees to. Hidden characters are escaped, so a value can't look like another line.
 */
export function shownEntry({ name, target, envFile, disabled }: ConfigEntry): readonly string[] {
  const isProcess = target.transport === 'stdio';
  const what = isProcess ? [target.command, ...target.args].map(quoted).join(' ') : target.url;
  const folder = isProcess && target.cwd !== undefined ? ` in ${target.cwd}` : '';
  const first = `${name}: ${what}${folder}${disabled ? ' (disabled)' : ''}`;
  const values = Object.entries((isProcess ? target.env : target.headers) ?? {}).map(([key, value]) =>
    isProcess ? shownVariable(key, value ?? '') : `${key}: ${value ?? ''}`,
  );
  const others = isProcess ? { envFile } : { oauth: target.client, tls: target.tls };
  const rest = Object.entries(others).flatMap(([key, value]) =>
    value === undefined ? [] : [`${key}: ${JSON.stringify(value)}`],
  );
  return [first, ...[...values, ...rest].map((line) => `    ${line}`)].map(escaped);
}

/** Returns lines with the names in a file of variables. Only the values that decide what code runs are shown. */
export function shownEnvFile(path: string, variables: readonly (readonly [string, string])[]): readonly string[] {
  const lines = variables.map(([name, value]) => `    ${isDangerousName(name) ? shownVariable(name, value) : name}`);
  return [`variables of ${path}:`, ...lines].map(escaped);
}

function shownVariable(name: string, value: string): string {
  return `${name}=${value}${isDangerousName(name) ? ' (decides what code runs)' : ''}`;
}

function escaped(line: string): string {
  return line.replace(HIDDEN, unitEscapes);
}

function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : JSON.stringify(word);
}
