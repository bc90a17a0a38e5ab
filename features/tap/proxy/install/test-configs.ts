import fc, { type GeneratorValue } from 'fast-check';

/** A config as a person or a host could have written it. */
interface GeneratedConfig {
  readonly host: string;
  readonly text: string;
  readonly format: 'json' | 'toml';
  readonly key: readonly string[];
  /** The server in question. */
  readonly name: string;
  readonly words: readonly string[];
}

/** Hosts whose configs are generated, with the keys that lead to their servers. */
const KEYS: readonly (readonly [host: string, key: readonly string[]])[] = [
  ['claude-desktop', ['mcpServers']],
  ['claude-code', ['mcpServers']],
  ['claude-code', ['projects', '/home/u/a.b', 'mcpServers']],
  ['cursor', ['mcpServers']],
  ['vscode', ['servers']],
  ['vscode', ['mcp', 'servers']],
  ['windsurf', ['mcpServers']],
  ['codex', ['mcp_servers']],
  ['gemini', ['mcpServers']],
  ['zed', ['context_servers']],
  ['opencode', ['mcp']],
];

const WORDS = [
  'npx',
  '-y',
  '@scope/pkg',
  'C:\\Program Files\\x y\\node.exe',
  '--',
  'tap',
  'ü☃"\'',
  '',
  '#//',
  '/*',
  'a\tb',
];
const NAMES = ['files', 'a b', 'my.server', 'ü', 'x"y', '-', 'command'];

/** Draws a config of any of the hosts. */
export const generatedConfig: fc.Arbitrary<GeneratedConfig> = fc.gen().map((draw) => {
  const [host, key] = draw(fc.constantFrom, ...KEYS);
  const name: string = draw(fc.constantFrom, ...NAMES);
  const command = draw(fc.constantFrom, ...WORDS.filter((word) => word !== '' && word !== 'tap'));
  const args: readonly string[] | undefined = draw(fc.option, fc.array(fc.constantFrom(...WORDS), { maxLength: 4 }), {
    nil: undefined,
  });
  const words = [command, ...(args ?? [])];
  const config = { host, key, name, words };
  if (host === 'codex') return { ...config, format: 'toml' as const, text: tomlConfig(draw, name, command, args) };
  const dotted = key.length === 2 && draw(fc.boolean);
  const entry = shuffled(draw, jsonMembers(draw, host, command, args));
  const others = [
    ['web', { type: 'http', url: 'https://h/mcp' }],
    ['other', { command: 'tap', args: ['--'] }],
  ] as const;
  const servers = shuffled(draw, [[name, new Members(entry)], ...others.filter(([other]) => other !== name)]);
  // The last of repeated names counts.
  const repeated = draw(fc.boolean) ? [[name, { command: 'earlier' }], ...servers] : servers;
  let holder: unknown = new Members(repeated as never);
  for (const step of dotted ? [key.join('.')] : [...key].reverse()) {
    holder = new Members(
      shuffled(draw, [
        [step, holder],
        ['theme', 'dark'],
        ['n', [1e21, null, { x: [] }]],
      ]),
    );
  }
  return { ...config, format: 'json' as const, text: jsonText(draw, holder) };
});

function jsonMembers(draw: GeneratorValue, host: string, command: string, args: readonly string[] | undefined) {
  const more: [string, unknown][] = [
    ['env', { TOKEN: 's3cret', args: 'x' }],
    ['disabled', false],
    ['cwd', './sub'],
  ];
  const kept = draw(fc.subarray, more);
  if (host === 'opencode') return [['command', [command, ...(args ?? [])]], ...kept] as [string, unknown][];
  const members: [string, unknown][] = [['command', command], ...(args ? [['args', args] as [string, unknown]] : [])];
  if (host !== 'zed' || draw(fc.boolean)) return [...members, ...kept];
  members[0]![0] = 'path';
  return [['command', new Members(shuffled(draw, members))], ...kept] as [string, unknown][];
}

/** An object in the order of its members, in which names can repeat. */
class Members {
  readonly all: readonly (readonly [string, unknown])[];
  constructor(all: readonly (readonly [string, unknown])[]) {
    this.all = all;
  }
}

function shuffled<T>(draw: GeneratorValue, items: readonly T[]): T[] {
  return draw(fc.shuffledSubarray, [...items], { minLength: items.length });
}

/** Writes JSON with random layout, comments, trailing commas, line ends and byte order mark. */
function jsonText(draw: GeneratorValue, value: unknown): string {
  const eol = draw(fc.constantFrom, '\n', '\r\n');
  const style: string = draw(fc.constantFrom, 'compact', '  ', '\t', 'odd');
  const loose = style !== 'compact' && draw(fc.boolean);
  const comment = () =>
    loose ? draw(fc.constantFrom, '', '', '', '/* "args": [ */', `// "command": {${eol}`, '/**/') : '';
  const gap = (depth: number): string => {
    if (style === 'compact') return '';
    const space = style === 'odd' ? draw(fc.constantFrom, '', ' ', `${eol}${eol} `, '\t') : eol + style.repeat(depth);
    return `${space}${comment()}${style === 'odd' ? draw(fc.constantFrom, '', ' ') : ''}`;
  };
  const colon = style === 'compact' ? ':' : style === 'odd' ? draw(fc.constantFrom, ':', ' : ', ':  ') : ': ';
  const write = (one: unknown, depth: number): string => {
    const isList = Array.isArray(one);
    if (!isList && (typeof one !== 'object' || one === null)) return JSON.stringify(one);
    const flat = isList && style !== 'odd' && draw(fc.boolean);
    const space = (levels: number) => (flat ? '' : gap(levels));
    const parts = isList
      ? one.map((item) => write(item, depth + 1))
      : (one instanceof Members ? one.all : Object.entries(one as object)).map(
          ([key, inner]) => JSON.stringify(key) + colon + write(inner, depth + 1),
        );
    if (parts.length === 0) return isList ? `[${space(depth)}]` : '{}';
    const between = flat && style !== 'compact' ? ', ' : ',';
    const body = parts.map((part) => space(depth + 1) + part).join(between);
    const last = loose && draw(fc.boolean) ? ',' : '';
    return `${isList ? '[' : '{'}${body}${last}${space(depth)}${isList ? ']' : '}'}`;
  };
  const bom = draw(fc.boolean) ? '\uFEFF' : '';
  return `${bom}${gap(0)}${write(value, 0)}${draw(fc.constantFrom, '', eol, `${eol}${eol}`)}`;
}

function tomlConfig(draw: GeneratorValue, name: string, command: string, args: readonly string[] | undefined): string {
  const eol = draw(fc.constantFrom, '\n', '\r\n');
  const text = (word: string): string => {
    const plain = !/['\t]/.test(word) && draw(fc.boolean);
    return plain ? draw(fc.constantFrom, `'${word}'`, `'''${word}'''`) : JSON.stringify(word);
  };
  const note = () => draw(fc.constantFrom, '', '', ' # args = ["x"]', '\t#[mcp_servers.files]');
  const equals = draw(fc.constantFrom, ' = ', '=', '  =\t');
  const line = (body: string) => `${draw(fc.constantFrom, '', '  ')}${body}${note()}${eol}`;
  const list = (items: readonly string[], flat: boolean): string => {
    if (flat || draw(fc.boolean)) return `[${items.map(text).join(draw(fc.constantFrom, ', ', ','))}]`;
    const end = items.length > 0 && draw(fc.boolean) ? ',' : '';
    return `[${eol}${items.map((item) => `    ${text(item)}`).join(`,${note()}${eol}`)}${end}${note()}${eol}]`;
  };
  const members = (flat: boolean): string[] =>
    shuffled(draw, [
      `command${equals}${text(command)}`,
      ...(args ? [`args${equals}${list(args, flat)}`] : []),
      `env${equals}{ TOKEN${equals}"s3cret", "args"${equals}'x' }`,
      `startup_timeout_sec${equals}10.5`,
      `since${equals}1979-05-27 07:32:00`,
    ]);
  const quoted = draw(fc.boolean) && !name.includes("'") ? `'${name}'` : JSON.stringify(name);
  const id = /^[\w-]+$/.test(name) && /^[\x20-\x7e]*$/.test(name) && draw(fc.boolean) ? name : quoted;
  const blocks = {
    table: () => line(`[mcp_servers.${id}]`) + members(false).map(line).join(''),
    spaced: () => line(`[ mcp_servers . ${id} ]`) + members(false).map(line).join(''),
    dotted: () =>
      line('[mcp_servers]') +
      members(false)
        .map((one) => line(`${id}.${one}`))
        .join(''),
    inline: () => `${line('[mcp_servers]')}${line(`${id}${equals}{${members(true).join(', ')}}`)}`,
  };
  const form: keyof typeof blocks = draw(fc.constantFrom, 'table', 'spaced', 'dotted', 'inline');
  const other = form === 'table' || form === 'spaced' ? line('[mcp_servers.other]') + line('command = "tap"') : '';
  const end = `${line('[[profiles]]')}${line("command = '''")}[mcp_servers.x]${eol}''' ${eol}`;
  const start = line('model = "o"') + line(`top = """${eol}"quoted" \\""" [x]${eol}"""`);
  const bom = draw(fc.boolean) ? '\uFEFF' : '';
  const all = `${bom}${start}${draw(fc.boolean) ? other + blocks[form]() : blocks[form]() + other}${end}`;
  return draw(fc.boolean) ? all.trimEnd() : all;
}
