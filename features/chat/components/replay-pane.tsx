import { useEffect, useMemo } from 'react';
import { UntrustedText } from '@/components/untrusted/untrusted-text';
import type { ChatTurn } from '@/features/chat/lib/chat-state';
import type { RequestDifference } from '@/features/chat/lib/recorded-model';
import { isObject, own, textOrJson } from '@/lib/json/value';
import type { Log } from '@/lib/store/log';
import { countOf } from '@/lib/wire/format';

/** A difference, and the number of the person’s message in whose answer it is. */
interface Found {
  readonly message: number;
  readonly difference: RequestDifference;
}

/** Begins the name of the model of a replay. */
const RECORDED = 'recorded:';

/** Returns true if the model of a chat gives recorded answers. */
export function isReplay(model: string): boolean {
  return model.startsWith(RECORDED);
}

/** Returns what the model would have seen otherwise, each difference once. Its answers in the log say so. */
export function useDifferences(log: Log, path: readonly ChatTurn[], version: number): readonly Found[] {
  const seqs = path.flatMap((turn) =>
    turn.kind === 'answer' && isReplay(turn.settings?.model ?? '')
      ? turn.requests.flatMap(({ response }) => response?.seq ?? [])
      : [],
  );
  const missing = seqs.find((seq) => !log.hasBytes(seq) && !log.wanted.isUnavailable(seq));
  useEffect(() => {
    if (missing !== undefined) log.wanted.want(missing);
  }, [log, missing]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the path changes in place
  return useMemo(() => {
    const found = new Map<string, Found>();
    let message = 0;
    for (const turn of path) {
      if (turn.kind === 'user') message++;
      else if (isReplay(turn.settings?.model ?? '')) {
        for (const { response } of turn.requests) {
          if (!response || !log.hasBytes(response.seq)) continue;
          for (const difference of differencesIn(log.text(response.seq - 1))) {
            const key = JSON.stringify(difference);
            if (!found.has(key)) found.set(key, { message, difference });
          }
        }
      }
    }
    return [...found.values()];
  }, [log, path, version, missing]);
}

/** Reads the differences in the answer of a recorded model. The log may be that of somebody else. */
function differencesIn(frame: string): readonly RequestDifference[] {
  try {
    const event: unknown = JSON.parse(frame);
    const body: unknown = JSON.parse(textOrJson(isObject(event) && own(event, 'body')));
    const list = isObject(body) ? own(body, 'differences') : undefined;
    return Array.isArray(list) ? list.filter(isDifference) : [];
  } catch {
    return [];
  }
}

function isDifference(value: unknown): value is RequestDifference {
  if (!isObject(value)) return false;
  const isText = (name: string) => ['string', 'undefined'].includes(typeof own(value, name));
  return ['name', 'member', 'before', 'after'].every(isText) && typeof own(value, 'part') === 'string';
}

/** The differences between what the model would have seen and what it saw. */
export function Differences({ found, busy }: { readonly found: readonly Found[]; readonly busy: boolean }) {
  if (found.length === 0) {
    return <p className="p-3 text-muted">{busy ? 'None so far' : 'The model would have seen the same'}</p>;
  }
  return (
    <ul className="flex min-w-0 flex-col divide-y divide-line">
      {found.map(({ message, difference: { part, name, member, before, after } }) => (
        <li key={JSON.stringify([part, name, member, before, after])} className="flex min-w-0 flex-col gap-1 p-3">
          <p>
            <span className="font-medium">{[PARTS[part] ?? part, member].filter(Boolean).join(' ')}</span>{' '}
            {name !== undefined && <UntrustedText text={name} limit={128} className="font-mono text-wire" />}{' '}
            <span className="text-small text-muted">in message {message}</span>
          </p>
          <Side glyph="−" word="before" text={before} colour="text-error" />
          <Side glyph="+" word="now" text={after} colour="text-ok" />
        </li>
      ))}
    </ul>
  );
}

const PARTS: Readonly<Record<string, string>> = {
  system: 'System prompt',
  temperature: 'Temperature',
  tool: 'Tool',
  message: 'Message of',
};

function Side({
  glyph,
  word,
  text,
  colour,
}: {
  readonly glyph: string;
  readonly word: string;
  readonly text: string | undefined;
  readonly colour: string;
}) {
  if (text === undefined) return null;
  return (
    <p className={`min-w-0 font-mono text-wire break-words whitespace-pre-wrap ${colour}`}>
      <span aria-hidden="true">{glyph} </span>
      <span className="sr-only">{word}: </span>
      <UntrustedText text={text} limit={600} />
    </p>
  );
}

/** The label of the button that shows them. */
export function differencesLabel(found: readonly Found[]): string {
  return found.length === 0 ? 'No differences' : countOf(found.length, 'difference');
}
