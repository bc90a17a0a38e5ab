import { newestFirst, type ReportedRecording } from './question';

/** The parts of a version by semver 2.0. */
const SEMVER = /^v?(\d{1,15})\.(\d{1,15})\.(\d{1,15})(?:-([\w.-]+))?(?:\+[\w.-]+)?$/;

/**
 * Returns a server's newest version and the one before, older first: by semver if all versions are of that form, else
 * by their last recordings. undefined without two versions.
 */
export function newestVersions(recordings: readonly ReportedRecording[]): readonly [string, string] | undefined {
  const latest = new Map<string, string>();
  for (const { summary } of recordings) {
    const { version } = summary.server;
    if (version !== undefined && summary.at >= (latest.get(version) ?? '')) latest.set(version, summary.at);
  }
  const isSemver = [...latest.keys()].every((version) => SEMVER.test(version));
  const [after, before] = [...latest]
    .sort(([one, oneAt], [other, otherAt]) => (isSemver && compareSemver(other, one)) || newestFirst(oneAt, otherAt))
    .map(([version]) => version);
  return before === undefined || after === undefined ? undefined : [before, after];
}

/** Compares two versions by semver. Both have its form. */
function compareSemver(one: string, other: string): number {
  const [a, b] = [SEMVER.exec(one)!, SEMVER.exec(other)!];
  for (const at of [1, 2, 3]) if (a[at] !== b[at]) return Number(a[at]) - Number(b[at]);
  return comparePrereleases(a[4], b[4]);
}

/** Compares what follows the hyphen. A version without it is newer. */
function comparePrereleases(one: string | undefined, other: string | undefined): number {
  if (one === undefined || other === undefined) return Number(one === undefined) - Number(other === undefined);
  const [a, b] = [one.split('.'), other.split('.')];
  for (let at = 0; at < Math.max(a.length, b.length); at++) {
    const [x, y] = [a[at], b[at]];
    if (x === y) continue;
    if (x === undefined || y === undefined) return x === undefined ? -1 : 1;
    const areNumbers = [x, y].map((part) => /^\d+$/.test(part));
    if (areNumbers[0] !== areNumbers[1]) return areNumbers[0] ? -1 : 1;
    return areNumbers[0] ? Number(x) - Number(y) : x < y ? -1 : 1;
  }
  return 0;
}
