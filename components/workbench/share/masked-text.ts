import type { ReviewResult } from '@/lib/sharing/share-job';
import { countOf, formatBytes, formatCount } from '@/lib/wire/format';
import { type FindingGroup, isRowMasked, maskedBefore, type ShareDecisions } from './finding-groups';

/** Says how much is shared, what was masked while recording, and what may be secret. */
export function reviewSummary(
  { frames, bytes, findings }: Pick<ReviewResult, 'frames' | 'bytes' | 'findings'>,
  groups: readonly FindingGroup[],
  decisions: ShareDecisions,
): string {
  const before = maskedBefore(groups);
  const secrets = findings.list.filter(({ kind }) => kind === 'secret').length;
  const masked = groups.reduce(
    (sum, group) =>
      sum + group.rows.filter((row) => row.rank !== undefined && isRowMasked(group, row, decisions)).length,
    0,
  );
  const found =
    secrets === 0
      ? `Nothing ${before.values > 0 ? 'else ' : ''}looks like a secret.`
      : `${countOf(secrets, before.values > 0 ? 'more value' : 'value')} may be secret, ${formatCount(masked)} will be masked.`;
  return [
    `Sharing ${countOf(frames, 'frame')} (${formatBytes(bytes)}).`,
    ...(before.values > 0 ? [`${countOf(before.values, 'value')} masked while recording.`] : []),
    found,
  ].join(' ');
}

/** Says what is masked in an output: `masked` places now, and those that were masked while recording. */
export function outcomeText(masked: number, groups: readonly FindingGroup[]): string {
  const { places } = maskedBefore(groups);
  const before = `${countOf(places, 'place')} masked while recording`;
  if (masked > 0) return `${countOf(masked, 'place')} masked now${places > 0 ? `, ${before}` : ''}.`;
  return places > 0 ? `${before}.` : 'Nothing is masked.';
}
