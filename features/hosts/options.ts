import type { Option } from '@/proxy/cli/grammar';

const FOR_OPTION: Option = {
  name: 'for',
  value: 'HOSTS',
  help: 'also judge whether it works in hosts: claude.ai,vscode … or all',
};

const MARKDOWN_OPTION: Option = { name: 'markdown', help: 'with --for: print that alone, as Markdown' };

/** The options that choose hosts. */
export const hostOptions: { readonly check: readonly Option[]; readonly doctor: readonly Option[] } = {
  check: [FOR_OPTION],
  doctor: [FOR_OPTION, MARKDOWN_OPTION],
};
