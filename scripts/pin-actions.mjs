// `node scripts/pin-actions.mjs`: pins each `uses` of the workflows by the commit of the version in its comment, and
// each FROM of the Dockerfile by the digest of its tag. `--newest` moves actions to their newest version first, and
// `--check` writes nothing. It asks github.com and Docker Hub, so run it where they can be reached.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { trackedFiles } from './tracked-files.mjs';

const root = join(import.meta.dirname, '..');
const USES = /(\buses: )([\w.-]+\/[\w.-]+)((?:\/[\w.-]+)*)@(\S+)(?: # (v\S+))?/g;
const FROM = /^(FROM (?:--\S+ )?)(\w+):([\w.-]+)(?:@sha256:[0-9a-f]{64})?/gm;

/**
 * Returns the commit of each release of an action, by tag, the newest release last. @param {string} repository
 * @returns {Map<string, string>}
 * @throws {Error} if GitHub can't be reached
 */
export function releasesOf(repository) {
  const url = `https://github.com/${repository}`;
  const options = { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'], timeout: 60_000 };
  const lines = execFileSync('git', ['ls-remote', '--tags', url], options).trim().split('\n');
  const commits = new Map();
  for (const line of lines) {
    // An annotated tag is an object of its own. The line with `^{}` has its commit, and comes later.
    const [, commit, tag] = /^([0-9a-f]{40})\trefs\/tags\/(v\d+\.\d+\.\d+)(?:\^\{\})?$/.exec(line) ?? [];
    if (tag) commits.set(tag, commit);
  }
  return new Map([...commits].sort(([a], [b]) => a.localeCompare(b, 'en', { numeric: true })));
}

/**
 * Returns the text of a workflow with each action pinned.
 * @param {string} text
 * @param {(repository: string) => Map<string, string>} releases as of {@link releasesOf}
 * @param {boolean} [newest]
 */
export function pinUses(text, releases, newest = false) {
  return text.replace(USES, (_, key, repository, folder, ref, comment) => {
    const known = releases(repository);
    const tags = [...known.keys()];
    // `v5` stands for its newest release.
    const named = comment ?? ref;
    const tag = newest ? tags.at(-1) : tags.findLast((name) => name === named || name.startsWith(`${named}.`));
    if (!tag) throw new Error(`${repository} has no release ${named}.`);
    return `${key}${repository}${folder}@${known.get(tag)} # ${tag}`;
  });
}

/**
 * Returns the text of a Dockerfile with each official image pinned. @param {string} text
 * @param {(image: string, tag: string) => Promise<string>} digest
 */
export async function pinImages(text, digest) {
  const images = [...text.matchAll(FROM)].map(([, , image, tag]) => `${image}:${tag}`);
  const digests = new Map();
  for (const name of new Set(images)) digests.set(name, await digest(...name.split(':')));
  return text.replace(FROM, (_, start, image, tag) => `${start}${image}:${tag}@${digests.get(`${image}:${tag}`)}`);
}

/** Returns the digest of an official image's index, which has all its platforms. */
async function digestOf(image, tag) {
  const scope = `repository:library/${image}:pull`;
  const answer = await fetch(`https://auth.docker.io/token?service=registry.docker.io&scope=${scope}`);
  const { token } = await answer.json();
  const index = await fetch(`https://registry-1.docker.io/v2/library/${image}/manifests/${tag}`, {
    method: 'HEAD',
    headers: { Authorization: `Bearer ${token}`, Accept: 'application/vnd.oci.image.index.v1+json' },
  });
  const digest = index.headers.get('docker-content-digest');
  if (!index.ok || !/^sha256:[0-9a-f]{64}$/.test(digest ?? '')) {
    throw new Error(`Docker Hub has no digest of ${image}:${tag}: HTTP ${index.status}.`);
  }
  return digest;
}

async function pinAll() {
  const options = { newest: { type: 'boolean', default: false }, check: { type: 'boolean', default: false } };
  const { values } = parseArgs({ options });
  const known = new Map();
  const releases = (repository) => {
    if (!known.has(repository)) known.set(repository, releasesOf(repository));
    return known.get(repository);
  };
  for (const path of trackedFiles(/^(?:\.github\/.*\.yml|Dockerfile)$/)) {
    const text = readFileSync(join(root, path), 'utf8');
    try {
      const image = path === 'Dockerfile';
      const pinned = image ? await pinImages(text, digestOf) : pinUses(text, releases, values.newest);
      const changed = pinned !== text;
      if (changed && values.check) process.exitCode = 1;
      if (changed && !values.check) writeFileSync(join(root, path), pinned);
      process.stdout.write(`${path}: ${changed ? (values.check ? 'differs' : 'changed') : 'is up to date'}\n`);
    } catch (error) {
      process.stderr.write(`${path} stays as it is: ${String(error.stderr ?? '').trim() || error.message}\n`);
      process.exitCode = 1;
    }
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) await pinAll();
