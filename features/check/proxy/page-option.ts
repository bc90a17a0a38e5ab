import type { Option } from '@/proxy/cli/grammar';

/** The pins file of the page. */
export const PINS_OPTION: Option = {
  name: 'pins',
  value: 'FILE',
  help: 'the page’s pinned calls (default mcp-inspect.pins.json)',
};
