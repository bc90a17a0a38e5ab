import { isObject, type JsonObject, own } from '@/lib/json/value';
import type { Path } from '@/lib/protocol/checks';
import { META_KEY } from '@/lib/wire/protocol-names';
import type { SeenMessage } from '../protocol-state';
import { messageRule, quote, type Rule } from '../rule';
import { KEYS, pageOf } from './listings';

/** URL schemes allowed for icons. */
const SCHEMES = /^(?:https:|data:)/i;

/** Something with icons: a listed entry, or the server. */
interface Owner {
  /** Its name at the start of a sentence. */
  readonly name: string;
  readonly value: JsonObject;
  readonly path: Path;
}

const NOUNS = { tools: 'Tool', prompts: 'Prompt', resources: 'Resource', resourceTemplates: 'Template' } as const;

/** Returns the entries of a page, or the server that introduces itself. */
function ownersIn(seen: SeenMessage): readonly Owner[] {
  const page = pageOf(seen);
  if (page) {
    const { member } = page;
    return page.items.flatMap((value, index) =>
      isObject(value) ? [{ name: entryName(member, value), value, path: ['result', member, index] }] : [],
    );
  }
  const result = own(seen.body, 'result');
  if (!isObject(result)) return [];
  const meta = own(result, '_meta');
  const places: readonly (readonly [unknown, Path])[] = [
    [own(result, 'serverInfo'), ['result', 'serverInfo']],
    [isObject(meta) ? own(meta, META_KEY.serverInfo) : undefined, ['result', '_meta', META_KEY.serverInfo]],
  ];
  return places.flatMap(([value, path]) => (isObject(value) ? [{ name: 'The server', value, path }] : []));
}

function entryName(member: keyof typeof KEYS, value: JsonObject): string {
  const name = own(value, KEYS[member]);
  const noun = NOUNS[member];
  return typeof name === 'string' ? `${noun} ${quote(name)}` : `A ${noun.toLowerCase()} without a ${KEYS[member]}`;
}

/** Rules about icons of tools, prompts, resources, templates and servers. */
export const ICON_RULES: readonly Rule[] = [
  messageRule(
    {
      id: 'icon-address',
      kinds: ['response'],
      severity: 'error',
      title: 'Icon URL that clients reject',
      topic: 'messages',
      advice: 'Use an https: or data: URL.',
    },
    (seen, _state, report) => {
      if (seen.direction !== 'to-client') return;
      for (const { name, value, path } of ownersIn(seen)) {
        const icons = own(value, 'icons');
        if (!Array.isArray(icons)) continue;
        for (const [index, icon] of icons.entries()) {
          const src = isObject(icon) ? own(icon, 'src') : undefined;
          if (typeof src !== 'string' || SCHEMES.test(src)) continue;
          report({ message: `${name}: an icon URL is ${quote(src)}.`, path: [...path, 'icons', index, 'src'] });
        }
      }
    },
  ),
];
