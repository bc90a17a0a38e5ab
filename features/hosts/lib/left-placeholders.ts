import type { ConfigEntry } from '@/lib/wire/server-config';

/** Text of examples that a person has to replace, as documents of servers write it. */
const IN_TEXT =
  /<(?:your|path|insert|api|access|auth|token|key|secret|password)[^<>]{0,80}>|(?<![a-z\d])your[-_ ]?(?:own[-_ ]?)?(?:actual[-_ ]?)?(?:[a-z]{1,20}[-_ ])?(?:api|access|secret|auth|token|key|password|pat|server|host|domain|org|tenant|workspace|username|project)(?![a-z])|(?<![a-z\d])replace[-_ ](?:me|with|this)|(?<![a-z\d])change[-_ ]?me(?![a-z])|[/\\]path[/\\]to[/\\]/i;
const IN_CAPITALS = /(?<![A-Za-z\d])YOUR_[A-Z]/;
/** Text that is nothing else. */
const WHOLE = /^(?:<[^<>]{1,80}>|(?:[a-z]{2,10}[-_])?x{4,}|\.{3}|…)$/i;
/** The start of a key, and dots for its rest. Paths of packages end so, too. */
const CUT_KEY = /^[\w-]{2,20}(?:\.{3}|…)$/;

/** Markup and code have names in angle brackets, too. */
const MARKUP = /<\//;

/** Returns true for text with a placeholder that a person has to replace. */
export function isLeft(text: string): boolean {
  return !MARKUP.test(text) && (IN_TEXT.test(text) || IN_CAPITALS.test(text) || WHOLE.test(text));
}

const isLeftValue = (text: string): boolean => isLeft(text) || CUT_KEY.test(text);

/** Names the parts of an entry with placeholders that a person has not replaced. Quotes none of them. */
export function leftPlaceholders({ target }: ConfigEntry): readonly string[] {
  const named = (part: string, values: Readonly<Record<string, string | null>> = {}): readonly string[] =>
    Object.entries(values).flatMap(([name, value]) =>
      value !== null && isLeftValue(value) ? [`\`${name.slice(0, 80)}\` in \`${part}\``] : [],
    );
  if (target.transport !== 'stdio')
    return [...(isLeft(target.url) ? ['`url`'] : []), ...named('headers', target.headers)];
  const { command, args, cwd = '', env } = target;
  return [
    ...(isLeft(command) ? ['`command`'] : []),
    ...args.flatMap((arg, at) => (isLeft(arg) ? [`Argument ${at + 1}`] : [])),
    ...(isLeft(cwd) ? ['`cwd`'] : []),
    ...named('env', env),
  ];
}
