import { specPage } from '@/lib/protocol/spec-pages';
import { PROTOCOL_VERSIONS } from '@/lib/wire/lifecycle';
import { RULES } from './rules/registry';

const WORDS = {
  error: 'The specification forbids it.',
  warning: 'It advises against it, or something will break.',
  info: 'Worth knowing.',
};

/** The list of rules, as Markdown. */
export function rulesDocument(): string {
  const newest = PROTOCOL_VERSIONS.at(-1)!;
  const rows = RULES.map(({ id, severity, title, topic, advice }) => {
    const { section, url } = specPage(topic, newest);
    return `| \`${id}\` | ${severity} | ${title} | ${advice} | [${section}](${url}) |`;
  });
  return [
    '# Rules',
    '',
    '<!-- Written by a test from lib/problems/rules: see rules.test.ts. -->',
    '',
    `The ${RULES.length} rules that *Problems* holds every frame against. Their ids are stable. The specification's page is that of the`,
    'version that was agreed on; here it is the newest that has one.',
    '',
    ...Object.entries(WORDS).map(([severity, words]) => `- **${severity}**: ${words}`),
    '',
    '| id | severity | what | what to do | specification |',
    '|---|---|---|---|---|',
    ...rows,
    '',
  ].join('\n');
}
