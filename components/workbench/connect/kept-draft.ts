import { hasSecrets } from '@/components/form/secrets';
import { tryParseJson } from '@/lib/json/exact';
import { isLongToken } from '@/lib/redact/secret-values';
import { parseTarget } from '@/lib/wire/target-text';
import { EMPTY_DRAFT, type ServerDraft, textOfBase } from './server-draft';

/** The parts of a draft that a reload of the tab keeps, as JSON. */
export type KeptDraft = Omit<ServerDraft, 'answers'>;

/**
 * Returns the parts of a draft that can't be secret. Values of variables and headers, tokens and answers are left out,
 * and a text that may have a secret is left out with all that belongs to it.
 */
export function keptDraft({ answers, ...draft }: ServerDraft): KeptDraft {
  const { answers: _, ...empty } = EMPTY_DRAFT;
  if (mayHaveSecrets(draft)) return { ...empty, protocol: draft.protocol, via: draft.via, lost: 'text' };
  const environment = draft.environment.map((row) => ({ ...row, value: '' }));
  const values = [...draft.environment.map(({ value }) => value), ...answers.values()];
  const isLost = [...values, draft.bearer, draft.client.clientSecret].some((value) => value !== '');
  return {
    ...draft,
    environment,
    bearer: '',
    client: { ...draft.client, clientSecret: '' },
    profile: isSecretProfile(draft.profile) ? empty.profile : draft.profile,
    ...(isLost && { lost: 'values' }),
  };
}

/** Returns the draft to go on with after a reload. */
export function draftOfKept(kept: KeptDraft): ServerDraft {
  return { ...kept, answers: EMPTY_DRAFT.answers };
}

function mayHaveSecrets({ text, base }: KeptDraft): boolean {
  if (isSecretText(text)) return true;
  return base !== undefined && (isSecretText(textOfBase(base)) || hasSecrets(JSON.stringify(base.target), true));
}

/** True for a text with variables or headers, with a name that looks secret, or with a word that looks like a token. */
function isSecretText(text: string): boolean {
  const { targets } = parseTarget(text);
  const hasValues = targets.some((one) => {
    const { target } = one;
    const extras = target.transport === 'stdio' ? target.env : target.headers;
    return Object.keys(extras ?? {}).length > 0;
  });
  if (hasValues || hasSecrets(text, tryParseJson(text).ok)) return true;
  // A user name and password in a URL.
  if (/:\/\/[^/\s]*@/.test(text)) return true;
  return text.split(/[\s=/?&#:@'",;{}[\]]+/).some(isLongToken);
}

function isSecretProfile({ meta, experimental, extensions }: ServerDraft['profile']): boolean {
  return [meta, experimental, ...extensions.map(({ settings }) => settings)].some((text) =>
    hasSecrets(text, tryParseJson(text).ok),
  );
}
