import type { Option } from '@/proxy/cli/grammar';

const FOR_OPTION: Option = {
  name: 'for',
  value: 'HOSTS',
  help: 'also judge whether it works in hosts: claude.ai,vscode … or all',
};

const MARKDOWN_OPTION: Option = { name: 'markdown', help: 'with --for: print that alone, as Markdown' };

const AS_OPTION: Option = {
  name: 'as',
  value: 'HOST',
  help: 'connect like claude-code, vscode, cursor, codex, gemini',
};

/** The options about hosts. */
export const hostOptions: Readonly<Record<'client' | 'check' | 'doctor', readonly Option[]>> = {
  client: [AS_OPTION],
  check: [{ ...FOR_OPTION, help: 'also judge for hosts: claude.ai,vscode … all, or a file: registry' }],
  doctor: [FOR_OPTION, MARKDOWN_OPTION],
};
