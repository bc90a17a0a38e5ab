import { homedir } from 'node:os';
import { join } from 'node:path';
import { readNamedFile } from '@/proxy/files/user-files';
import { StoreError } from './store-error';

/** Keys and values of a profile. May contain secrets: never show a value. */
export type Profile = ReadonlyMap<string, string>;

type Environment = Readonly<Record<string, string | undefined>>;

/** Most bytes of one of the files of the AWS command line. */
const MOST_BYTES = 1024 * 1024;

/** The profile that is used, from both files. */
export interface FoundProfile {
  readonly name: string;
  /** True if `AWS_PROFILE` names it. */
  readonly isNamed: boolean;
  readonly values: Profile;
}

/**
 * Reads the profile of `AWS_PROFILE`, or `default`, from `AWS_CONFIG_FILE` and `AWS_SHARED_CREDENTIALS_FILE`. The
 * second file wins. Throws a StoreError `store-credentials` if a named profile is in neither, or a file can't be read.
 */
export async function readAwsProfile(env: Environment, home: string = homedir()): Promise<FoundProfile> {
  const named = env.AWS_PROFILE || env.AWS_DEFAULT_PROFILE || undefined;
  const name = named ?? 'default';
  const config = await sectionsOf(env.AWS_CONFIG_FILE || join(home, '.aws', 'config'));
  const secret = await sectionsOf(env.AWS_SHARED_CREDENTIALS_FILE || join(home, '.aws', 'credentials'));
  const found = [config.get(name === 'default' ? 'default' : `profile ${name}`), secret.get(name)];
  if (named !== undefined && found.every((section) => section === undefined)) {
    throw new StoreError(
      'store-credentials',
      `The profile \`${name}\` of AWS_PROFILE is in neither of the AWS files.`,
      'Check its name, AWS_CONFIG_FILE and AWS_SHARED_CREDENTIALS_FILE.',
    );
  }
  const values = new Map(found.flatMap((section) => [...(section ?? [])]));
  return { name, isNamed: named !== undefined, values };
}

async function sectionsOf(path: string): Promise<ReadonlyMap<string, Profile>> {
  const { text, wrong } = await readNamedFile(path, { most: MOST_BYTES });
  if (wrong === undefined) return text === undefined ? new Map() : parseProfiles(text);
  throw new StoreError('store-credentials', `\`${path}\` can’t be used. ${wrong}`, 'Correct the file or its path.');
}

/** Parses the INI dialect of the AWS files. Nested settings, which are indented, are left out. */
export function parseProfiles(text: string): ReadonlyMap<string, Profile> {
  const sections = new Map<string, Map<string, string>>();
  let section: Map<string, string> | undefined;
  for (const line of text.replace(/^\ufeff/, '').split(/\r?\n/)) {
    const [, heading] = /^\[\s*([^\]]*?)\s*\]/.exec(line) ?? [];
    if (heading !== undefined) {
      const name = heading.replace(/\s+/g, ' ').replace(/^(profile )?"(.*)"$/, '$1$2');
      section = sections.get(name) ?? new Map<string, string>();
      sections.set(name, section);
      continue;
    }
    if (/^\s*[#;]/.test(line)) continue;
    const [, key, value] = /^([^\s=][^=]*?)\s*=\s*(.*?)\s*$/.exec(line) ?? [];
    if (key !== undefined) section?.set(key.toLowerCase(), value!.replace(/\s+[#;].*$/, ''));
  }
  return sections;
}
