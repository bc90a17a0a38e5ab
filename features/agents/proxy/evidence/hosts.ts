import { failsHost, type HostVerdict, sourceText } from '@/features/host-judge';
import { type AgentFinding, MOST_SEQS } from './evidence';

/** Returns a finding for each obstacle of a host. Only what loses the server or a tool is an error. */
export function obstaclesOf(verdicts: readonly HostVerdict[]): readonly AgentFinding[] {
  return verdicts.flatMap(({ title, obstacles }) =>
    obstacles.map((obstacle): AgentFinding => {
      const { fact, does, advice, places } = obstacle;
      return {
        code: `host-${fact}`,
        severity: failsHost(obstacle) ? 'error' : 'warning',
        weight: 0,
        title: `Obstacle in ${title}`,
        detail: `${places[0].words} The host ${does}`,
        advice: `${advice} (${sourceText(obstacle)})`,
        seqs: places.slice(0, MOST_SEQS).map(({ seq }) => seq),
        count: places.length,
      };
    }),
  );
}
