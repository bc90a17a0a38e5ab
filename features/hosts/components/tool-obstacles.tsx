import { FrameLink } from '@/components/exchange/frame-link';
import { Sentence } from '@/components/ui/notices';
import { capitalised, type HostObstacle, type HostVerdict, type ObstaclePlace } from '@/features/host-judge';
import type { ToolNotesProps } from '@/features/page-feature';
import { navigate } from '@/lib/hooks/location';
import { quote } from '@/lib/problems/rule';
import { JUDGED_HOSTS } from '../lib/hosts';
import { useChosenHosts } from './chosen-hosts';
import { fieldOf } from './place-pointer';
import { useVerdicts } from './use-verdicts';

/** Directories do not use tools, so only those that a person chose are named. */
const DIRECTORIES: readonly string[] = JUDGED_HOSTS.flatMap((host) => ('isDirectory' in host ? [host.id] : []));

/** The hosts that drop or rename a tool, and why. */
export function ToolObstacles({ log, tool }: ToolNotesProps) {
  const { chosen } = useChosenHosts();
  const found = toolObstacles(useVerdicts(log) ?? [], tool, chosen);
  if (found.length === 0) return null;
  return (
    <section aria-label="Hosts" className="min-w-0">
      <h4 className="mb-1 text-small text-muted">Hosts</h4>
      <ul>
        {found.map(({ host, title, does, isReported, place }) => (
          <li key={`${host} ${does}`} className="break-words">
            <button type="button" className="text-link" onClick={() => navigate({ panel: 'hosts', item: host })}>
              {capitalised(title)}
            </button>{' '}
            <Sentence text={does} /> <span className="text-muted">Here: </span>
            <bdi>
              <Sentence text={withoutName(place.words, tool)} />
            </bdi>{' '}
            {isReported && <span className="text-small text-muted">reported by users </span>}
            <FrameLink seq={place.seq} label="Frame" short {...fieldOf(log, place)} />
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Returns a sentence about a tool without its name at the start. */
function withoutName(words: string, tool: string): string {
  const name = `${quote(tool)}: `;
  return words.startsWith(name) ? words.slice(name.length) : words;
}

/** A host that does something else with a tool than to use it. */
interface ToolObstacle extends Pick<HostVerdict, 'host' | 'title'>, Pick<HostObstacle, 'does' | 'isReported'> {
  readonly place: ObstaclePlace;
}

/** Returns the obstacles for which hosts drop a tool, or give it another name. */
export function toolObstacles(
  verdicts: readonly HostVerdict[],
  tool: string,
  chosen: readonly string[],
): readonly ToolObstacle[] {
  return verdicts
    .filter(({ host }) => chosen.includes(host) || !DIRECTORIES.includes(host))
    .flatMap(({ host, title, obstacles }) =>
      obstacles.flatMap(({ loses, does, isReported, places }) => {
        const place = places.find((one) => one.tool === tool);
        const isDropped = loses === 'tool' || loses === 'all-tools';
        return place && isDropped ? [{ host, title, does, isReported, place }] : [];
      }),
    );
}
