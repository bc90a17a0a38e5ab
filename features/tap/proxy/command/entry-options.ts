import type { Option } from '@/proxy/cli/grammar';

/** Changes of the configs of hosts. */
export const ENTRY_OPTIONS: readonly Option[] = [
  { name: 'config', value: 'FILE', help: 'change this file, in the format of the host' },
  { name: 'dry-run', help: 'show what would change, and write nothing' },
  { name: 'json', help: 'print the changes as one line of JSON' },
];
