/** Names of secrets, values, and ways to write them together, each chosen at random. */
import { framesOf, printed, structured } from './carriers';
import type { PlantedText, SecretClass } from './planted';
import { Random } from './random';
import { lettersOnly, machineValue, password, secretName, shortValue } from './values';
import { vendorKey } from './vendor-keys';

const VALUES: readonly ((random: Random) => string)[] = [machineValue, password, shortValue, lettersOnly, vendorKey];

/** Ways to write a name and its value. */
const WAYS: readonly ((name: string, value: string, random: Random) => string | object)[] = [
  (name, value) => `${name}=${value}`,
  (name, value) => `x ${name}=${value} y`,
  (name, value) => `${name}: ${value}`,
  (name, value) => `${name}: "${value}"`,
  (name, value) => `${name} = '${value}'`,
  (name, value) => `the ${name} is ${value}.`,
  (name, value) => `Using ${name} ${value} now`,
  (name, value) => `--${name} ${value} --next`,
  (name, value) => `--${name}=${value}`,
  (name, value) => `?a=1&${name}=${encodeURIComponent(value)}&b=2`,
  (name, value) => `<${name}>${value}</${name}>`,
  (name, value) => `<add key="${name}" value="${value}"/>`,
  (name, value) => `| ${name} | ${value} |`,
  (name, value) => `("${name}", "${value}")`,
  (name, value) => `map["${name}"] = "${value}"`,
  (name, value) => `- name: ${name}\n  value: ${value}`,
  (name, value) => `export ${name}="${value}" # note`,
  (name, value) => `${name} => ${value},`,
  (name, value) => `${name} -> ${value}`,
  (name, value) => `set ${name} to '${value}'`,
  (name, value) => `${name}:\n  ${value}`,
  (name, value) => `{"${name}":"${value}"}`,
  (name, value) => `{\\"${name}\\":\\"${value}\\"}`,
  (name, value) => ({ [name]: value }),
  (name, value) => ({ name, value }),
  (name, value) => ({ key: name, value: { stringValue: value } }),
  (name, value) => ({ [name]: { value, type: 'string' } }),
  (name, value) => ({ [name]: [value] }),
  (name, value) => ({ headers: [[name, value]] }),
  (name, value) => ({ headers: { [name]: value } }),
  (name, value) => ({ args: [`--${name}`, value] }),
  (name, value) => ({ env: { [name]: value } }),
  (name, value) => ({ text: JSON.stringify({ [name]: value }) }),
];

const OF_PAIRS: SecretClass = { id: 'pairs', count: 0, templates: [] };

/** Makes so many pairs. */
export function namedPairs(seed: number, count: number): readonly PlantedText[] {
  const random = new Random(seed);
  return Array.from({ length: count }, (): PlantedText => {
    const { name } = secretName(random, random.pick(['camel', 'snake', 'kebab', 'upper', 'pascal', 'header']));
    const value = random.pick(VALUES)(random);
    const written = random.pick(WAYS)(name, value, random);
    const said = typeof written === 'string' ? printed(written, random) : structured(written, random);
    return { from: OF_PAIRS, frames: framesOf(said), secrets: [value, encodeURIComponent(value)], given: [] };
  });
}
