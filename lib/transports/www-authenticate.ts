/** One challenge of a `WWW-Authenticate` header (RFC 9110, 11.6.1). Names of parameters in lower case, the first of each holds. */
export interface AuthChallenge {
  /** As written; its case has no meaning. */
  readonly scheme: string;
  readonly parameters: ReadonlyMap<string, string>;
}

const TOKEN = "[!#$%&'*+\\-.^_`|~0-9A-Za-z]+";
const PARAMETER = new RegExp(`\\s*(${TOKEN})\\s*=\\s*(?:"((?:[^"\\\\]|\\\\.)*)"|(${TOKEN}|[^\\s",]+))\\s*(?:,|$)`, 'y');
const SCHEME = new RegExp(`\\s*(${TOKEN})(?=\\s|,|$)(?!\\s*=)\\s*,?`, 'y');

/** Every challenge in it, in order. What can't be read is passed over; never throws. */
export function readChallenges(header: string): readonly AuthChallenge[] {
  const challenges: { scheme: string; parameters: Map<string, string> }[] = [];
  for (let at = 0; at < header.length; ) {
    PARAMETER.lastIndex = at;
    SCHEME.lastIndex = at;
    const current = challenges.at(-1);
    const parameter = current && PARAMETER.exec(header);
    if (parameter) {
      const [whole, name, quoted, plain] = parameter;
      const value = quoted?.replace(/\\(.)/g, '$1') ?? plain ?? '';
      if (!current.parameters.has(name!.toLowerCase())) current.parameters.set(name!.toLowerCase(), value);
      at += whole.length;
      continue;
    }
    const scheme = SCHEME.exec(header);
    if (scheme) challenges.push({ scheme: scheme[1]!, parameters: new Map() });
    at += scheme?.[0].length || 1;
  }
  return challenges;
}
