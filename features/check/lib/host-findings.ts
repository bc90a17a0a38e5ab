import { type FilePlace, failsHost, type HostObstacle, type HostVerdict, sourceText } from '@/features/host-judge';
import { groupBy } from '@/lib/store/columns/collections';
import type { CheckFinding, HostSummary } from './report';

/** Frames of a finding that are named. */
const MOST_FRAMES = 50;

/** A place in a file, or in a frame. */
type AnyPlace = FilePlace & { readonly seq?: number };

/** Returns a finding for each place that breaks a fact. Frames with the same fault share it, and hosts do. */
export function hostFindings(verdicts: readonly HostVerdict<AnyPlace>[]): readonly CheckFinding[] {
  const met = verdicts.flatMap((verdict) => verdict.obstacles.map((obstacle) => ({ obstacle, verdict })));
  const facts = groupBy(met, ({ obstacle }) => obstacle.fact);
  return [...facts.values()].flatMap((same) =>
    findingsOf(
      same[0]!.obstacle,
      same.map(({ verdict }) => verdict),
    ),
  );
}

function findingsOf(
  obstacle: HostObstacle<AnyPlace>,
  verdicts: readonly HostVerdict<AnyPlace>[],
): readonly CheckFinding[] {
  const { fact, does, advice, source, on, isReported } = obstacle;
  const titles = verdicts.map(({ title }) => title).join(', ');
  const isUrl = /^https:\/\/\S+$/.test(source);
  const places = groupBy(obstacle.places, ({ words, path }) => JSON.stringify([words, path]));
  return Array.from(places.values(), (same) => ({
    rule: `host-${fact}`,
    severity: failsHost(obstacle) ? 'error' : 'warning',
    title: `Obstacle in ${titles}`,
    message: `${same[0]!.words} The host ${does}`,
    path: same[0]!.path,
    frames: same.flatMap(({ seq }) => seq ?? []).slice(0, MOST_FRAMES),
    advice: `${advice} (${sourceText({ ...obstacle, source: isUrl ? '' : source })})`,
    spec: isUrl ? source : undefined,
    hosts: verdicts.map(({ host }) => host),
    known: { source, on, isReported },
  }));
}

/** Returns verdicts without their places, for the summary and for JSON. */
export function hostSummaries(verdicts: readonly HostVerdict<FilePlace>[]): readonly HostSummary[] {
  return verdicts.map(({ host, title, state, obstacles, untried, questions }) => ({
    host,
    title,
    state,
    obstacles: obstacles.length,
    untried,
    questions,
  }));
}
