import type * as Monaco from 'monaco-editor';

/** The page's colours by Monaco's names; see globals.css. */
const COLOURS = {
  'editor.background': 'bg',
  'editor.foreground': 'text',
  'editorCursor.foreground': 'text',
  'editorLineNumber.foreground': 'muted',
  'editorLineNumber.activeForeground': 'muted',
  'editorGutter.background': 'bg',
  'editorWidget.background': 'raised',
  'editorWidget.border': 'line',
  'editorWidget.foreground': 'text',
  'input.background': 'bg',
  'input.border': 'control',
  focusBorder: 'accent',
  // Brackets by depth, which say nothing that the indentation does not.
  'editorBracketHighlight.foreground1': 'text',
  'editorBracketHighlight.foreground2': 'text',
  'editorBracketHighlight.foreground3': 'text',
  'editorError.foreground': 'error',
  'editorWarning.foreground': 'warn',
} as const;

/** The colours of JSON, as in the tree. */
const TOKENS = {
  'string.key.json': 'notify',
  'string.value.json': 'ok',
  'number.json': 'warn',
  'keyword.json': 'warn',
} as const;

/** Returns the editor's theme in the page's present colours, because Monaco can't use CSS variables. */
export function editorTheme(isDark: boolean): Monaco.editor.IStandaloneThemeData {
  const probe = document.createElement('span');
  document.body.append(probe);
  const hex = (name: string) => {
    probe.style.color = `var(--color-${name})`;
    const channels = getComputedStyle(probe).color.match(/\d+/g) ?? [];
    return channels
      .slice(0, 3)
      .map((channel) => Number(channel).toString(16).padStart(2, '0'))
      .join('');
  };
  const theme = {
    base: isDark ? ('vs-dark' as const) : ('vs' as const),
    inherit: true,
    rules: Object.entries(TOKENS).map(([token, name]) => ({ token, foreground: hex(name) })),
    colors: {
      ...Object.fromEntries(Object.entries(COLOURS).map(([key, name]) => [key, `#${hex(name)}`])),
      'editor.selectionBackground': `#${hex('accent')}48`,
    },
  };
  probe.remove();
  return theme;
}
