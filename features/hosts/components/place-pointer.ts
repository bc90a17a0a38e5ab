import type { ObstaclePlace } from '@/features/host-judge';
import { type OutlinePath, toPointer } from '@/lib/json/outline-path';
import type { Log } from '@/lib/store/log';

/** A step of a path: `.name`, `[0]` or `["any name"]`. */
const STEP = /^(?:\.?([A-Za-z_$][\w$]*)|\[(\d+)\]|\[("(?:[^"\\]|\\.)*")\])/;

/** Returns the field of a place for links to its frame. */
export function fieldOf(log: Log, place: ObstaclePlace): { readonly at?: string } {
  const at = placePointer(place, (tool) => log.state.tools.items.find(({ name }) => name === tool)?.place);
  return at === undefined ? {} : { at };
}

/**
 * Returns the place in its frame as a JSON Pointer. Paths name tools, but in a frame they are an array: `toolAt` finds
 * the index. undefined if the path can't be read.
 */
export function placePointer(
  { path, tool }: Pick<ObstaclePlace, 'path' | 'tool'>,
  toolAt: (name: string) => number | undefined,
): string | undefined {
  const steps = path === undefined ? undefined : stepsOf(path);
  if (!steps || tool === undefined) return steps && toPointer(steps);
  const at = steps.indexOf('tools') + 1;
  if (at === 0 || steps[at] !== tool) return toPointer(steps);
  const index = toolAt(tool);
  return index === undefined ? undefined : toPointer(steps.with(at, index));
}

function stepsOf(path: string): OutlinePath | undefined {
  const steps: (string | number)[] = [];
  for (let rest = path; rest !== ''; ) {
    const [whole, name, index, quoted] = STEP.exec(rest) ?? [];
    if (whole === undefined) return undefined;
    steps.push(name ?? (index === undefined ? (JSON.parse(quoted!) as string) : Number(index)));
    rest = rest.slice(whole.length);
  }
  return steps;
}
