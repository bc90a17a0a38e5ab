import { Messages } from '@/components/exchange/message-list';
import { OtherMembers } from '@/components/exchange/result-region';
import { Button } from '@/components/ui/button';
import { visibleText } from '@/components/ui/visible-text';
import { JsonTree } from '@/components/untrusted/json-tree';
import { UntrustedText } from '@/components/untrusted/untrusted-text';
import type { JsonSource } from '@/lib/json/source';
import { isObject, own, textOrJson } from '@/lib/json/value';
import { countOf } from '@/lib/wire/format';

/** Most tools listed. */
const MAX_TOOLS = 50;

const SHOWN = [
  'messages',
  'systemPrompt',
  'tools',
  'toolChoice',
  'maxTokens',
  'temperature',
  'stopSequences',
  'includeContext',
  'modelPreferences',
];

interface SamplingRequestProps {
  readonly params: JsonSource;
  /** Starts a reply that calls a tool of the request. */
  readonly onUseTool: ((name: string) => void) | undefined;
}

/** A request for a model's reply: system prompt, conversation, tools, then what it asks of the model. */
export function SamplingRequest({ params, onUseTool }: SamplingRequestProps) {
  const systemPrompt = params.member('systemPrompt')?.value;
  const tools = params.member('tools');
  const wishes = modelWishes(params);
  return (
    <div className="flex min-w-0 flex-col gap-3">
      {typeof systemPrompt === 'string' && (
        <section className="min-w-0 border-l-2 border-line pl-2">
          <h3 className="text-small font-medium">system prompt</h3>
          <p className="max-w-[68ch] py-1 whitespace-pre-wrap">
            <UntrustedText text={systemPrompt} />
          </p>
        </section>
      )}
      <Messages from={params} plain />
      {tools?.kind === 'array' && <OfferedTools tools={tools} onUse={onUseTool} />}
      {wishes.length > 0 && (
        <dl aria-label="Asked of the model" className="flex min-w-0 flex-wrap gap-x-4 text-small text-muted">
          {wishes.map(([name, value]) => (
            <div key={name} className="flex min-w-0 gap-1">
              <dt className="font-mono">{name}</dt>
              <dd className="min-w-0 text-text">
                <UntrustedText text={value} limit={300} />
              </dd>
            </div>
          ))}
        </dl>
      )}
      <OtherMembers result={params} shown={SHOWN} />
    </div>
  );
}

/** Returns what the request asks of the model, as names and texts. */
export function modelWishes(params: JsonSource): readonly (readonly [name: string, value: string])[] {
  const text = (name: string): string | undefined => {
    const member = params.member(name);
    return member?.kind === 'string' ? String(member.value) : member?.text;
  };
  const stops = params.member('stopSequences')?.value;
  const found: (readonly [string, string | undefined])[] = [
    ['maxTokens', text('maxTokens')],
    ['temperature', text('temperature')],
    [
      'stopSequences',
      Array.isArray(stops) ? stops.map((stop) => JSON.stringify(stop)).join(' ') : text('stopSequences'),
    ],
    ['includeContext', text('includeContext')],
    ['toolChoice', text('toolChoice')],
    ['modelPreferences', preferences(params.member('modelPreferences'))],
  ];
  return found.filter((wish): wish is readonly [string, string] => wish[1] !== undefined && wish[1] !== '');
}

/** Returns `claude, gpt · cost 0.3`. */
function preferences(given: JsonSource | undefined): string | undefined {
  if (!isObject(given?.value)) return given?.text;
  const hints = own(given.value, 'hints');
  const names = (Array.isArray(hints) ? hints : []).map((hint) =>
    textOrJson(isObject(hint) ? (own(hint, 'name') ?? '?') : '?'),
  );
  const priorities = ['cost', 'speed', 'intelligence'].flatMap((name) => {
    const priority = given.member(`${name}Priority`)?.text;
    return priority === undefined ? [] : [`${name} ${priority}`];
  });
  const all = [...(names.length > 0 ? [names.join(', ')] : []), ...priorities];
  return all.length > 0 ? all.join(' · ') : given.text;
}

/** The tools that the model may use. */
function OfferedTools({
  tools,
  onUse,
}: {
  readonly tools: JsonSource;
  readonly onUse: SamplingRequestProps['onUseTool'];
}) {
  const { count, children } = tools.children(MAX_TOOLS);
  return (
    <details className="min-w-0">
      <summary className="text-muted">The model may use {countOf(count, 'tool')}</summary>
      <ul className="mt-1 flex min-w-0 flex-col">
        {children.map(({ source }, index) => {
          const tool = isObject(source.value) ? source.value : {};
          const [name, description] = [own(tool, 'name'), own(tool, 'description')];
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: the request does not change
            <li key={index} className="min-w-0 border-t border-line py-1">
              <div className="flex min-w-0 items-center gap-2">
                <UntrustedText text={textOrJson(name ?? 'no name')} limit={120} className="font-mono text-wire" />
                <span className="min-w-0 flex-1 truncate text-muted">
                  <UntrustedText text={textOrJson(description)} limit={200} />
                </span>
                {onUse && typeof name === 'string' && (
                  <Button
                    size="small"
                    aria-label={`Reply with a call of ${visibleText(name)}`}
                    onClick={() => onUse(name)}
                  >
                    Call it
                  </Button>
                )}
              </div>
              <details>
                <summary className="text-small text-muted">Definition</summary>
                <JsonTree json={source} />
              </details>
            </li>
          );
        })}
      </ul>
      {count > MAX_TOOLS && <p className="text-muted">{countOf(count - MAX_TOOLS, 'more tool')} in the request</p>}
    </details>
  );
}
