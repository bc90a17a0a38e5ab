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
  const values = Object.entries((isProcess ? target.env : target.headers) ?? {}).map(([key, value]) => {
    const mark = isProcess && isDangerousName(key) ? ' (decides what code runs)' : '';
    return isProcess ? `${key}=${value ?? ''}${mark}` : `${key}: ${value ?? ''}`;
  });
  const others = isProcess ? { envFile } : { oauth: target.client, tls: target.tls };
  const rest = Object.entries(others).flatMap(([key, value]) =>
    value === undefined ? [] : [`${key}: ${JSON.stringify(value)}`],
  );
  return [first, ...[...values, ...rest].map((line) => `    ${line}`)].map((line) => line.replace(HIDDEN, unitEscapes));
}

function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : JSON.stringify(word);
}
