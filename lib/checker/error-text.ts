import type { OutputUnit } from '@cfworker/json-schema';

type Words = (message: string) => string | undefined;

const after = (pattern: RegExp, words: (...groups: string[]) => string): Words => {
  return (message) => {
    const match = pattern.exec(message);
    return match === null ? undefined : words(...match.slice(1).map((group) => group ?? ''));
  };
};

/** The validator's messages in our words, by keyword. What has no row, or reads differently, is told as it came. */
const WORDS: Readonly<Record<string, Words>> = {
  type: after(
    /type "(.*)" is invalid\. Expected "(.*)"\./,
    (is, wanted) => `is ${is}, should be ${wanted.replaceAll('", "', ' or ')}`,
  ),
  const: after(/does not match (.*)\.$/, (value) => `should be ${value.slice(0, 80)}`),
  enum: () => 'not one of the listed values',
  required: () => 'required',
  dependentRequired: after(/has "(.*)" but/, (name) => `required together with ${name}`),
  dependencies: after(/has "(.*)" but does not have/, (name) => `required together with ${name}`),
  false: () => 'not in the schema',
  anyOf: () => 'fits none of the alternatives',
  oneOf: after(/\((\d+) matches\)/, (count) =>
    count === '0' ? 'fits none of the alternatives' : `fits ${count} alternatives, should fit one`,
  ),
  not: () => 'is what the schema rules out',
  format: after(/does not match format "(.*)"/, (format) => `not in the format ${format}`),
  pattern: after(/does not match pattern/, () => 'does not match the pattern'),
  minLength: after(/\((\d+) < (\d+)\)/, (is, wanted) => `${is} characters, at least ${wanted}`),
  maxLength: after(/\((\d+) > (\d+)\)/, (is, wanted) => `${is} characters, at most ${wanted}`),
  minItems: after(/\((\d+) < (\d+)\)/, (is, wanted) => `${is} items, at least ${wanted}`),
  maxItems: after(/\((\d+) > (\d+)\)/, (is, wanted) => `${is} items, at most ${wanted}`),
  minimum: after(/less than\s+(?:or equal to\s+)?(\S+)\.$/, (bound) => `less than ${bound}`),
  maximum: after(/greater than\s+(?:or equal to\s+)?(\S+)\.$/, (bound) => `more than ${bound}`),
  exclusiveMinimum: after(/(\S+)\.$/, (bound) => `should be more than ${bound}`),
  exclusiveMaximum: after(/(\S+)\.$/, (bound) => `should be less than ${bound}`),
  uniqueItems: after(/indexes (\d+) and (\d+)/, (a, b) => `items ${a} and ${b} are the same`),
};

/** What is wrong, in a few words that follow the field's name. */
export function errorText({ keyword, error }: OutputUnit): string {
  return WORDS[keyword]?.(error) ?? error.replace(/^Instance /, '').slice(0, 300);
}

/** The name of a required property that is not there. */
export function missingName({ keyword, error }: OutputUnit): string | undefined {
  if (keyword === 'required') return /^Instance does not have required property "(.*)"\.$/s.exec(error)?.[1];
  if (keyword !== 'dependentRequired' && keyword !== 'dependencies') return undefined;
  return /but does not have "(.*)"\.$/s.exec(error)?.[1];
}
