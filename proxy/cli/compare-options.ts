import type { Option } from './options';

/** What subcommands that compare have in common. */
export const COMPARE_OPTIONS = [
  { name: 'compare', value: 'MODE', help: 'structure, semantic (default) or strict: what counts as a difference' },
  { name: 'ignore', value: 'NAME[,NAME…]', help: 'leave this out too: hash, number, version … see docs/compare.md' },
  { name: 'junit', value: 'FILE', help: 'write a report for build servers as well (JUnit XML)' },
] as const satisfies readonly Option[];
