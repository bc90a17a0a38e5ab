import { relative, resolve } from 'node:path';
import { isObject, own } from '@/lib/json/value';
import { isFailure } from '@/lib/wire/lifecycle';
import { usageError } from '@/proxy/cli/exit-code';
import { buildPresets, type FoundProject, withoutModelKeys } from '@/proxy/cli/presets';
import type { ServerOptions } from '@/proxy/cli/server-options';
import { ownRecordingsFolder } from '@/proxy/files/data-folder';
import { readNamedFile } from '@/proxy/files/named-files';
import { sha256Of } from '@/proxy/files/native-codecs';
import { SharedFile } from '@/proxy/files/shared-file';
import type { Asking } from './ask-inputs';
import { shownEntry } from './shown-entry';

/** Name of the config that a project brings along. Anyone who wrote the project wrote its commands. */
export const PROJECT_CONFIG = '.mcp.json';

/** Bytes of a config. */
const CONFIG_BYTES = 1024 * 1024;
/** Bytes of the file of decisions, and most decisions in it. The oldest are dropped. */
const DECISIONS_BYTES = 1024 * 1024;
const MOST_DECISIONS = 1000;

/** Whether a person wants the servers of a config, by the digest of its path and content. */
interface DecisionStore {
  read(digest: string): Promise<boolean | undefined>;
  keep(digest: string, use: boolean): Promise<void>;
}

/** Decisions that every mcp-inspect of this user shares. `folder`: of recordings. */
export function keptDecisions(folder = ownRecordingsFolder()): DecisionStore {
  const file = new SharedFile({
    ...{ folder, name: 'project-configs.json', code: 'project-configs' },
    ...{ what: 'decisions about project configs', mostBytes: DECISIONS_BYTES },
  });
  const decisionsIn = (content: unknown): readonly (readonly [string, boolean])[] => {
    const kept = isObject(content) ? own(content, 'decisions') : undefined;
    if (!isObject(kept)) return [];
    return Object.entries(kept).filter((entry): entry is [string, boolean] => typeof entry[1] === 'boolean');
  };
  return {
    async read(digest) {
      // Without the file, the person is asked.
      const content = await file.read().catch(() => undefined);
      return new Map(decisionsIn(content)).get(digest);
    },
    async keep(digest, use) {
      await file.change((before) => {
        const others = decisionsIn(before).filter(([key]) => key !== digest);
        const decisions = [...others, [digest, use] as const].slice(-MOST_DECISIONS);
        return { content: { decisions: Object.fromEntries(decisions) }, result: undefined };
      });
    },
  };
}

/** The config of a project, as far as it is read before anybody agreed to it. */
export interface ProjectConfig {
  readonly path: string;
  /** Digest of path and content. */
  readonly digest: string;
}

/**
 * Finds the config of a folder, by its usual name or another; undefined if there is none. Throws an ExitError if it
 * can’t be read.
 */
export async function findProjectConfig(
  folder: string,
  name: string = PROJECT_CONFIG,
): Promise<ProjectConfig | undefined> {
  const path = resolve(folder, name);
  const { text, wrong } = await readNamedFile(path, { most: CONFIG_BYTES });
  if (wrong !== undefined)
    throw usageError(`Can’t use \`${path}\`. ${wrong} Move it away, or name another with \`--config\`.`);
  if (text === undefined) return undefined;
  return { path, digest: sha256Of(Buffer.from(`${path}\n${text}`)) };
}

/** The question to a person about a file of a project. */
interface Consent {
  /** Says what the file does, after its name. */
  readonly intro: string;
  readonly question: string;
  /** The part of the file that needs consent, before the name of the file. */
  readonly unused: string;
  /** The option that names the file, and so uses it without a question. */
  readonly option: string;
}

const SERVERS: Consent = {
  intro: 'starts these servers:',
  question: 'Do you trust this project, and want to start them? (y/N) ',
  unused: '',
  option: '--config',
};

/**
 * Asks whether the servers of a project’s config may be started, once for each content. `shown` has a line for each
 * server. Resolves with false, and says why, if not.
 */
export function mayUseProject(
  config: ProjectConfig,
  shown: readonly string[],
  asking: Asking,
  store: DecisionStore = keptDecisions(),
): Promise<boolean> {
  return mayUse(config, SERVERS, shown, asking, store);
}

/** Asks whether a file of a project may be used, once for each content. Resolves with false, and says why, if not. */
export async function mayUse(
  config: ProjectConfig,
  { intro, question, unused, option }: Consent,
  shown: readonly string[],
  { ask, printNote }: Asking,
  store: DecisionStore,
): Promise<boolean> {
  const instead = `To use it, add \`${option} ${relative(process.cwd(), config.path)}\`.`;
  const known = await store.read(config.digest);
  if (known !== undefined) {
    if (!known) printNote(`mcp-inspect: Not using ${unused}\`${config.path}\`, as you decided. ${instead}`);
    return known;
  }
  if (!ask) {
    printNote(
      `mcp-inspect: Not using ${unused}\`${config.path}\`: there is no terminal to ask whether you trust it. ${instead}`,
    );
    return false;
  }
  printNote(`\`${config.path}\` ${intro}`);
  for (const line of shown) printNote(`  ${line}`);
  const answer = await ask(question, false);
  const use = /^\s*y(?:es)?\s*$/i.test(answer ?? '');
  // The next start asks again if nobody answered.
  if (answer !== undefined) {
    await store.keep(config.digest, use).catch((error: unknown) => {
      if (!isFailure(error)) throw error;
      printNote(`mcp-inspect: ${error.message} ${error.advice}`);
    });
  }
  return use;
}

/**
 * Asks about the project’s config that a named server is in: somebody else may have written it. Rejects with an
 * ExitError unless a person agrees.
 */
export async function agreeTo(
  project: FoundProject | undefined,
  options: ServerOptions,
  home: string,
  asking: Asking,
): Promise<void> {
  if (!project) return;
  const { path, entries } = project;
  const config = await findProjectConfig('.', path);
  const again = await buildPresets(options, withoutModelKeys(home));
  // The decision is about this content, so it has to be the content that is started.
  if (!config || 'wrong' in again || JSON.stringify(again.project) !== JSON.stringify(project))
    throw changedConfig(path);
  if (await mayUseProject(config, entries.flatMap(shownEntry), asking)) return;
  throw usageError(`\`${options.server}\` is in \`${path}\`, a project’s config that you did not agree to use.`);
}

/** Says that what a person agreed to is no longer there. */
export function changedConfig(path: string): Error {
  return usageError(`\`${path}\` has changed in the meantime. Start again to look at it.`);
}
