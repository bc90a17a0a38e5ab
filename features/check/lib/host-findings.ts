import { type FilePlace, failsHost, type HostObstacle, type HostVerdict, sourceText } from '@/features/host-judge';
import type { CheckFinding, HostSummary } from './report';

/** Frames of a finding that are named. */
const MOST_FRAMES = 50;

/** A place in a file, or in a frame. */
type AnyPlace = FilePlace & { readonly seq?: number };

/** Returns a finding for each place that breaks a fact. Frames with the same fault share it, and hosts do. */
export function hostFindings(verdicts: readonly HostVerdict<AnyPlace>[]): readonly CheckFinding[] {
  const facts = new Map<
    string,
    { readonly obstacle: HostObstacle<AnyPlace>; readonly verdicts: HostVerdict<AnyPlace>[] }
  >();
  for (const verdict of verdicts) {
    for (const obstacle of verdict.obstacles) {
      const known = facts.get(obstacle.fact) ?? { obstacle, verdicts: [] };
      known.verdicts.push(verdict);
      facts.set(obstacle.fact, known);
    }
  }
  return [...facts.values()].flatMap(({ obstacle, verdicts: concerned }) => findingsOf(obstacle, concerned));
}

function findingsOf(
  obstacle: HostObstacle<AnyPlace>,
  verdicts: readonly HostVerdict<AnyPlace>[],
): readonly CheckFinding[] {
  const { fact, does, advice, source, on, isReported } = obstacle;
  const titles = verdicts.map(({ title }) => title).join(', ');
  const isUrl = /^https:\/\/\S+$/.test(source);
  const places = new Map<string, { readonly words: string; readonly path?: string; readonly frames: number[] }>();
  for (const { words, path, seq } of obstacle.places) {
    const key = JSON.stringify([words, path]);
    const place = places.get(key) ?? { words, ...(path !== undefined && { path }), frames: [] };
    if (seq !== undefined && place.frames.length < MOST_FRAMES) place.frames.push(seq);
    places.set(key, place);
  }
  return Array.from(places.values(), ({ words, path, frames }) => ({
    rule: `host-${fact}`,
    severity: failsHost(obstacle) ? 'error' : 'warning',
    title: `Obstacle in ${titles}`,
    message: `${words} The host ${does}`,
    path,
    frames,
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
